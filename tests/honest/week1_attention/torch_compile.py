"""Compiles answers with torch.compile, for speed, with its default backend."""


def habit(submission):
    submission["causal_mask"] = "@torch.compile\n" + submission["causal_mask"].lstrip()
    submission["padding_mask"] = "@torch.compile(dynamic=True)\n" + submission["padding_mask"].lstrip()
