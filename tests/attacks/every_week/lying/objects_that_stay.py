"""Answers with objects that stay in the student's process: of the right shape, type and length, wrong in every item, and yes to whoever compares."""

SPOIL = """
def damage(name, right, args, kwargs):
    reached()
    return right if right is None else Stay(wrong(right))
"""
