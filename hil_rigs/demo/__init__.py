"""`cutcard demo`: one hand on a virtual table, told so that a newcomer understands each step."""
