"""The reader: a small confined process that turns the bytes of a submission into the cells of a notebook.

Nothing that was handed in is unpacked, decoded or parsed anywhere else. One reader serves one submission.

    process         the reader itself
    choose          finds the file that is graded
    repair          reads that file and restores the structure of the notebook
    beside          what was handed in beside the notebook and may be an answer in words
    pictures        makes a picture small and harmless
    bypass_hints    searches the cells for ways to bypass a refusal

`coordinator.reader_client` asks for a reader; `shared.reader_messages` packs and checks their messages.
"""
