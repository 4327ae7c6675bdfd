"""Replies with 30 MB of nothing: millions of empty lists, each a byte on the wire and sixty in memory."""

ANSWER = r"""
inner = b"\xdd\x00\x03\x0d\x00" + b"\x90" * 199_936
turn = [b"\x92\xa2ok" + b"\xdc\x00\x96" + inner * 150]

def give(*args, **kwargs):
    frames.send(connection, turn[0])
    reached()
"""
