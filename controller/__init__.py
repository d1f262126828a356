"""All that knows cards and procedure: the core, the shell round it and the doors."""
