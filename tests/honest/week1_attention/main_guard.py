"""Puts things under `if __name__ == "__main__":`, as in a script; parses arguments."""


def habit(submission):
    submission["softmax"] = """
#!/usr/bin/env python3
# -*- coding: utf-8 -*-
__author__ = "me"
__all__ = ["softmax"]
if __name__ == "__main__":
    def softmax(x, axis=-1):
        powers = np.exp(x - x.max(axis=axis, keepdims=True))
        return powers / powers.sum(axis=axis, keepdims=True)
    print(softmax(np.ones(3)))
"""
    submission.append("import argparse\nargparse.ArgumentParser().parse_args()")
