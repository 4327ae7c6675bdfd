"""self_attention: lets every word attend to itself, whatever the mask says.

Question: self_attention
Mistakes: slip
Deserves: 75 %
Fails: self_attention_hidden_batch
Tell: Every word may attend to itself here, also where the mask blocks it: pass the mask on as it is.
"""


def self_attention_head(X, W_Q, W_K, W_V, mask=None):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    if mask is not None:
        mask = mask | torch.eye(X.shape[-2], dtype=torch.bool, device=mask.device)
    return scaled_dot_product_attention(Q, K, V, mask)
