"""Results as text, JSON, tables and attached pages, in the language of whoever asked.

Texts are in `locales/`; nothing that others wrote becomes live in a chat.
"""
