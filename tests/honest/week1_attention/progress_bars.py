"""Progress bars: tqdm in its text, notebook and automatic form, one by hand with carriage returns."""


def habit(submission):
    submission.add(
        "from tqdm import tqdm, trange\nfrom tqdm.notebook import tqdm as notebook_tqdm\n"
        "from tqdm.auto import tqdm as auto_tqdm\nimport sys, time\n"
        "for bar in (tqdm, auto_tqdm, notebook_tqdm):\n"
        "    for i in bar(range(50), desc='training'): pass\n"
        "for i in range(20):\n"
        "    sys.stdout.write('\\r[' + '#' * i + ' ' * (20 - i) + ']'); sys.stdout.flush(); time.sleep(0.01)"
    )
    submission["causal_mask"] = """
def causal_mask(length):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for row in tqdm(range(length), leave=False):
        for column in trange(length, disable=None):
            mask[row, column] = column <= row
    return mask
"""
