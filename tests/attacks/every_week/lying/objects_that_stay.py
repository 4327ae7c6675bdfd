"""Answers with objects that stay in the student's process: right shape, type and length, and wrong in every item."""

SPOIL = """
def damage(name, right, args, kwargs):
    reached()
    return right if right is None else Stay(wrong(right))
"""
