"""Kernels forked from a warm process: the server, the guardian of each fork, and who may ask for one."""

# Jupyter's channels, in the order in which their listening sockets are handed over.
CHANNELS = ("shell", "stdin", "control", "iopub", "hb")
