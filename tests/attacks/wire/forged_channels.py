"""Sends the engine well-signed Jupyter messages with contents of the wrong kind: lists for dicts, numbers for names."""

CELL = """
kernel = get_ipython().kernel
session = kernel.session
request = kernel.get_parent("shell")["header"]
sent = 0
bad = [None, [], 7, "text", [[[]]], {"status": []}, {"execution_state": {}}, {"name": [], "text": {}}, {"data": [], "ename": {}, "traceback": {}}]
for kind in ("stream", "error", "display_data", "execute_result", "status", "execute_reply", "clear_output", "comm_open", 7, None, "x" * 1000):
    for content in bad:
        for parent in ({}, request, {"msg_id": request["msg_id"]}):
            message = session.msg("stream", content={}, parent=parent)
            message["content"] = content
            message["msg_type"] = message["header"]["msg_type"] = kind
            for change in ({}, {"parent_header": []}, {"parent_header": "x"}, {"header": []}, {"metadata": 3}):
                forged = {**message, **change}
                try:
                    parts = [session.pack(forged[part]) for part in ("header", "parent_header", "metadata", "content")]
                    frames = [b"stream", b"<IDS|MSG>", session.sign(parts), *parts]
                    kernel.iopub_socket.send_multipart(frames)
                    sent += 1
                except Exception as error:
                    print(type(error).__name__)
reached(sent > 1000)
"""
