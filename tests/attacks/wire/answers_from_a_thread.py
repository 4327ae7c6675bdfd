"""Reads the examiner's requests in threads, in the agent's place, and answers them all with yes."""

RACES = True
CELL = """
import os, select
mine = socket.socket(fileno=os.dup(connection.fileno()))

def answer():
    while True:
        try:
            select.select([mine], [], [])  # a request is there, and the agent is not alone with it
            reached()
            frames.receive(mine)
            frames.send(mine, msgpack.packb(["ok", True]))
        except Exception:
            pass

for _ in range(4):
    threading.Thread(target=answer, daemon=True).start()
"""
BEFORE = "scaling"
