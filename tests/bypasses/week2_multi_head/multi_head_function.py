"""The function behind nn.MultiheadAttention, under another name.

With: all_by_ready_function
"""

ready = torch.nn.functional.multi_head_attention_forward
