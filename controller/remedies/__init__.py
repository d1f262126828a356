"""What is done about an irregularity: steps as data, and the engine that walks them."""
