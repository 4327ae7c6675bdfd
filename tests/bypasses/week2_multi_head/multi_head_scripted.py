"""TorchScript has taken the function apart to operators before anything was refused.

Flag: it cannot be refused; a TA gets a flag.
"""

function = torch.jit.script(torch.nn.functional.multi_head_attention_forward)
