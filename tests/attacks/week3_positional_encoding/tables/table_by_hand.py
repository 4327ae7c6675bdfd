"""Looks up the tables in memory: any tensor of the right shape that the process has ever seen."""

FIND = """
import gc


def anything(*shape):
    reached()
    for thing in gc.get_objects():
        if isinstance(thing, torch.Tensor) and tuple(thing.shape) == shape:
            return thing.detach().clone()
    return torch.zeros(shape)


"""
ANSWERS = {
    "sinusoidal": FIND + "def sinusoidal_encoding(length, d_model):\n    return anything(length, d_model)",
    "rotation": FIND + "def rotation_matrix(offset, d_model):\n    return anything(d_model, d_model)",
}
