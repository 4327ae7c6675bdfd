"""Three systems, three line ends, all in one cell."""


def damage(submission):
    for name in ("softmax", "attention", "softmax_rows"):
        lines = submission.cell(name)["source"].split("\n")
        ends = [("\n", "\r\n", "\r")[number % 3] for number in range(len(lines))]
        submission.cell(name)["source"] = "".join(map("".join, zip(lines, ends, strict=True)))
