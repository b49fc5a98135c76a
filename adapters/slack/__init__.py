"""Slack, by slack-bolt: Socket Mode or signed events in, the Web API out."""
