"""Forges messages on the kernel's channels: replies that say ok, an idle status, results that say 1.0."""

CELL = """
import copy
kernel = get_ipython().kernel
parent = kernel.get_parent("shell")
ident = kernel.get_parent_identity if hasattr(kernel, "get_parent_identity") else None
session = kernel.session
sent = 0
for number in range(3):
    for kind, content in (
        ("execute_reply", {"status": "ok", "execution_count": 1, "user_expressions": {}, "payload": []}),
        ("status", {"execution_state": "idle"}),
        ("execute_result", {"data": {"text/plain": "1.0"}, "metadata": {}, "execution_count": 1}),
    ):
        for socket in (kernel.iopub_socket, getattr(kernel, "shell_stream", None), getattr(kernel, "_shell_stream", None)):
            try:
                session.send(socket, kind, content, parent=parent, ident=[b"kernel"])
                sent += socket is not None
            except Exception as error:
                print(type(error).__name__)
reached(sent >= 9)
"""
