"""The operator below, which gives the weights as well."""


def scaled_dot_product_attention(Q, K, V, mask=None):
    return torch._scaled_dot_product_attention_math(Q, K, V, attn_mask=mask)
