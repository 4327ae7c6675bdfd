"""Jupyter's channels, in the order in which the coordinator sends their listening sockets to a fork."""

CHANNELS = ("shell", "stdin", "control", "iopub", "hb")
