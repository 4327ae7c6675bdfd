"""Replaces the agent by one that answers every request with the engine's own words for a pass."""

CELL = """
def serve(self=None):
    answers = [["ok", "passed", "", True], ["ok"], ["bye"], ["stop"], "passed", None, True, ["ok", True], ["return", True]]
    while True:
        request = frames.receive(connection)
        reached()
        for answer in answers:
            frames.send(connection, msgpack.packb(answer))
        if b"bye" in request:
            return

agent.serve = serve
agent.Agent.serve = serve
"""
