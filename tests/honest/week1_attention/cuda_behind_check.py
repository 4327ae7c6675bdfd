"""Uses a GPU if there is one: .cuda(), .to(device), mixed precision, a default device, settings of cuDNN."""


def habit(submission):
    submission.add(
        "device = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
        "torch.set_default_device('cpu')\ntorch.backends.cudnn.benchmark = False\n"
        "torch.backends.cudnn.deterministic = True\ntorch.cuda.empty_cache()\ntorch.cuda.manual_seed_all(0)\n"
        "torch.set_float32_matmul_precision('high')\nprint(torch.cuda.device_count())"
    )
    submission["attention"] = """
def scaled_dot_product_attention(Q, K, V, mask=None):
    if torch.cuda.is_available():
        Q, K, V = Q.cuda(), K.cuda(), V.cuda()
    Q, K, V = Q.to(device), K.to(device, non_blocking=True), V.to(device)
    scores = torch.matmul(Q, K.mT) / K.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.to(device) == 0, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ V, weights
"""
