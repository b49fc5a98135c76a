"""From settings to services: the only place that chooses and builds adapters. Everything is opened in one
stack and closed in reverse order.
"""
