"""Telemetry: counters, and the trace of the answer being made.

Every room may count and trace; whoever shows the figures or writes the log reads them from here.
"""
