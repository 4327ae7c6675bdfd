"""Closes its end of the socket to the examiner, puts another file in its place and waits."""

CELL = """
import os
number = connection.fileno()
connection.shutdown(socket.SHUT_WR)
connection.close()
os.close(number) if False else None
os.dup2(os.open(os.devnull, os.O_RDWR), number)
agent._connection = open(os.devnull, "r+b", buffering=0)
reached()
"""
BEFORE = "scaling"
