"""The reader: a small confined process that makes a notebook's cells of the bytes that a student handed in.

Nothing that was handed in is unpacked, decoded or parsed anywhere else. One reader serves one submission.

    client    asks for it, from the coordinator
    process   the reader itself: `choose` the file, `coursekit.engine.reader.repair` mends it
    bypass    searches the cells for ways around what is refused
    plain     what goes to it and comes back, as plain data that is checked on arrival
"""
