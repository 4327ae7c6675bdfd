"""Writes the replies to all requests of the next tests into the socket before they are asked: yes to everything."""

CELL = """
for _ in range(100):  # more would not fit, and wait for a reader
    frames.send(connection, msgpack.packb(["ok", True]))
reached()
"""
