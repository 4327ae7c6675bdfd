"""Nothing in torch or numpy gives a ready-made value while it is refused: all of it is called, see `ready_made`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from quick import ALL

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

# Some of what must be found, with different arguments: otherwise the search is incomplete and shows nothing.
FOUND = {
    "softmax": {
        "torch.distributions.SoftmaxTransform",
        "numpy.logaddexp.reduce",
        "torch.ops.aten::_safe_softmax",
    },
    "attention": {
        "torch.onnx.ops.attention",
        "torch.ops.onnx::Attention.opset23",
        "torch.ops.aten::_scaled_dot_product_attention_math",
    },
    "layer_norm": {"torch.nn.LayerNorm", "torch.nn.functional.layer_norm", "torch.nn.InstanceNorm1d"},
    "cross_entropy": {
        "torch.nn.CrossEntropyLoss",
        "torch.distributions.kl_divergence",
        "torch.nn.functional.nll_loss",
    },
    "cosine": {"torch.cosine_similarity", "torch.nn.CosineSimilarity"},
}


# What is found changes with torch, with numpy and with what is refused: then COURSE_ALL tries all of it.
TRIED = FOUND if ALL else ("softmax", "cosine")


@pytest.mark.parametrize("kind", TRIED)
def test_what_gives_a_ready_made_value_does_not_while_it_is_refused(kind):
    program = Path(__file__).parent / "ready_made.py"
    done = subprocess.run([sys.executable, program, kind], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    result = json.loads(done.stdout.splitlines()[-1])
    assert FOUND[kind] <= set(result["found"]), result["found"]
    assert result["called"] > 300, "the search has called too little to show anything"
    assert result["left"] == []
