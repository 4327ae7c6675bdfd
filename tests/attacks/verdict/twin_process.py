"""Forks, so that two processes answer the examiner on the same socket, each with half of a lie."""

RACES = True
CELL = """
import os
if os.fork() == 0:
    from coursekit.engine.shared import frames
    from coursekit.engine.kernel import agent
    import msgpack
    import select
    try:
        select.select([agent._connection], [], [])
        reached()  # a question is there, and both hurry for it
        while True:
            frames.receive(agent._connection)
            frames.send(agent._connection, msgpack.packb(["ok", True]))
    finally:
        os._exit(0)
"""
BEFORE = "scaling"
