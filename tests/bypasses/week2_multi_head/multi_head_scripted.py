"""TorchScript has taken the function apart to operators before anything was refused.

Flag: it cannot be held, a person is told.
With: all_by_ready_function
"""

ready = torch.jit.script(torch.nn.functional.multi_head_attention_forward)
