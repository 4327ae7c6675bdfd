"""mask_tokens: sets the given generator back to its seed in each call.

Question: mask_tokens
Mistakes: slip
Deserves: 80 %
Fails: mask_tokens_hidden_generator
Tell: Every call starts again from the generator's seed: draw the numbers from the generator itself, and seed
    nothing.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):
    if generator is not None:
        generator.manual_seed(generator.initial_seed())
    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
