"""Raises, returns and names things so that the tests' messages quote script, formulas and control characters."""

EVIL = "</pre><script>window.attacked='message'</script><img src=x onerror=\"window.attacked='message'\">{{7*7}}\\x1b]0;owned\\x07\\x1b[2J\\u202e"
ANSWER = f"""
evil = "{EVIL.replace('"', chr(92) + '"')}"
Named = type(evil, (ValueError,), {{}})

def softmax(x, axis=-1):
    reached()
    raise Named(evil)

def causal_mask(length):
    return evil

def padding_mask(token_ids, pad_id):
    return {{evil: [evil]}}

def dot_product_variance(q, k, scaled):
    return [evil] * 3

def scaled_dot_product_attention(Q, K, V, mask=None):
    exec(compile("raise KeyError(evil)", evil, "exec"))
raise Named(evil)
"""
