"""`cutcard demo`: hands with a mistake in each on a virtual table, told for a newcomer step by step."""
