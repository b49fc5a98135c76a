"""What the core needs from the outside world, one module per theme. Every implementation runs the same
contract suite.

Async unless pure. Implementations translate foreign errors into `core.errors`.
"""
