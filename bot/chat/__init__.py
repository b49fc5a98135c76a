"""Handling messages: the command table, the conversation, the guard.

What may be seen comes from the chat's settings and its live state, never from the text of a message.
"""
