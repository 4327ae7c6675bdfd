"""torch's softmax in a question about numpy."""


def softmax(x, axis=-1):
    return torch.softmax(torch.from_numpy(np.array(x, dtype=float)), axis).numpy()
