"""What is kept of outputs does not depend on chance."""

from coursekit.engine.shared.outputs import OutputBudget, mask_run_dependent


def kept(pieces, kilobytes=1):
    outputs = []
    room = OutputBudget(kilobytes)
    for text in pieces:
        room.put(outputs, "stream", {"name": "stdout", "text": text})
    return outputs


def test_how_a_text_was_cut_on_its_way_does_not_matter():
    text = "".join(f"line {number}\n" for number in range(300))
    wanted = kept([text])
    assert wanted[0]["text"] == text[:1024] and "more than 1 KiB" in wanted[1]["text"] and len(wanted) == 2
    for size in (1, 7, 100, 1023, 1024, 1025):
        assert kept([text[place : place + size] for place in range(0, len(text), size)]) == wanted
    assert kept([text[:1024]]) == kept([text[:500], text[500:1024]]) == [wanted[0]]


def test_addresses_scratch_folders_and_process_numbers_are_no_part_of_a_result():
    text = "/tmp/course-scratch-i3hel0x3/tmp/ipykernel_4763/159.py:4: Warning <f at 0x7f0123456789>"
    wanted = "/tmp/course-scratch-…/tmp/ipykernel_…/159.py:4: Warning <f at 0x…>"
    assert mask_run_dependent(text) == wanted
    data = {"text/plain": text, "image/png": "0x7f0123456789"}
    assert mask_run_dependent([{"data": data, "traceback": [text]}]) == [
        {"data": {"text/plain": wanted, "image/png": "0x7f0123456789"}, "traceback": [wanted]}
    ]
