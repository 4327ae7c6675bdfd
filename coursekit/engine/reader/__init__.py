"""The reader: a small confined process that turns the bytes of a submission into the cells of a notebook.

Nothing that was handed in is unpacked, decoded or parsed anywhere else. One reader serves one submission.

    client    asks for it, from the coordinator
    process   the reader itself: `choose` finds the file, `coursekit.engine.reader.repair` repairs it
    bypass    searches the cells for ways to bypass a refusal
    plain     what goes to it and comes back, as plain data that is checked on arrival
"""
