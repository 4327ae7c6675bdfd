"""Returns lists and dicts that contain themselves, so that sending them never ends, and a generator that yields itself."""

ANSWER = """
loop = []
loop.append(loop)
ring = {}
ring["ring"] = (ring, [ring])
pair = ([], [])
pair[0].append(pair)
wide = [0] * 50
for _ in range(12):
    wide = [wide] * 50

def endless():
    while True:
        yield endless()

turn = [loop, ring, pair, wide, endless()]

def give(*args, **kwargs):
    reached()
    turn.append(turn.pop(0))
    return turn[0]
"""
QUESTIONS = ("causal_mask", "scaling")
