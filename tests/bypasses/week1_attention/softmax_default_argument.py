"""A function that was kept as a default argument before anything was refused."""


def softmax(x, axis=-1, ready=torch.nn.functional.log_softmax):
    return np.exp(ready(torch.from_numpy(np.array(x, dtype=float)), axis).numpy())
