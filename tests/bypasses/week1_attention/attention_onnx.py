"""An operator that is registered only when its module is imported, while the question is judged."""


def onnx():
    import torch.onnx.ops

    return torch.onnx.ops.attention
