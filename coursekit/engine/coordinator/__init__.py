"""Trusted: it starts the other processes, asks them, and makes the result. It parses no hostile byte."""
