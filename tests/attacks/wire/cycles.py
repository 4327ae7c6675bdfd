"""Returns lists and dicts that contain themselves, so that sending them never ends, and a generator that yields itself."""

CODE = """
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

softmax = scaled_dot_product_attention = causal_mask = padding_mask = give
dot_product_variance = softmax_entropy = give
"""


def attack(submission):
    for question in ("causal_mask", "scaling"):
        submission.answer(question, CODE)
