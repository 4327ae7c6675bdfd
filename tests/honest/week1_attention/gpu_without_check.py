"""Calls for a GPU without asking, in a cell of its own, which ends with an error."""


def habit(submission):
    submission.add("x = torch.ones(3).cuda()\nprint(x)")
    submission.add("!nvidia-smi\ntorch.cuda.get_device_name(0)")
    submission.notebook["metadata"] |= {
        "accelerator": "TPU",
        "colab": {"gpuType": "A100", "machine_shape": "hm"},
    }
