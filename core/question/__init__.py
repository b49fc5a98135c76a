"""Reading questions: each is read once, here, and passed on."""
