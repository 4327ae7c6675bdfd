"""The operator that gives the weights as well."""


def ready(Q, K, V, mask):
    return torch.ops.aten._scaled_dot_product_attention_math(Q, K, V, mask)[0]
