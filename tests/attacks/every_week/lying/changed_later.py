"""Gives back one tensor, list or dict for all calls and goes on changing it from a thread while tests look at it."""

SPOIL = """
import threading, time
given = globals().get("given", [])


def change():
    while True:
        for value in list(given):
            try:
                if isinstance(value, torch.Tensor) and value.is_floating_point():
                    value.uniform_(-1, 1)
                elif isinstance(value, list):
                    value.append(value.pop(0))
                elif isinstance(value, dict):
                    value.update({key: 0 for key in value})
            except Exception:
                pass
        time.sleep(0.001)


if not given:
    given.append([0])
    threading.Thread(target=change, daemon=True).start()


def damage(name, right, args, kwargs):
    reached()
    spoiled = wrong(right)
    given.append(spoiled)
    return spoiled
"""
