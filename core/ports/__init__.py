"""What the core asks of the world, one module a theme. Every implementation runs the same contract suite.

Async unless pure. Implementations translate foreign errors into `core.errors`.
"""
