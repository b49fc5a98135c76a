"""Settings to services: the only place that chooses adapters and builds them.
Everything is opened in one stack and closed in reverse order.
"""
