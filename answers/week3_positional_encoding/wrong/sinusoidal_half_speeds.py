"""sinusoidal: rounds the speeds to float16.

Question: sinusoidal
Mistakes: slip
Deserves: 80 %
Fails: sinusoidal_rates
Tell: The speeds are not exact, which shows far from position 0: compute them in float32 or float64, and do
    not round them.
"""


def sinusoidal_encoding(length, d_model):
    if d_model % 2 == 1:
        raise ValueError("odd d_model")
    i = torch.arange(d_model // 2)
    speeds = torch.pow(10000.0, -2 * i / d_model).half().float()
    angles = torch.outer(torch.arange(length).float(), speeds)
    table = torch.empty(length, d_model)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table
