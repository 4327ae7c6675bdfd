"""The function that does the work of nn.MultiheadAttention, under another name."""

function = torch.nn.functional.multi_head_attention_forward
