"""Confined: the student kernel, which runs hostile code, and the agent in it that answers the examiner."""
