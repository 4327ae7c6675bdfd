"""For notebooks: the parameters of the explorer's encoder, to be loaded into one's own.

The function stands on its own, so that a notebook may hold a copy of it.
"""


def read_parameters(page, model="trained", device="cpu"):
    """Take the encoder's vocabulary and parameters out of the explorer's page.

    Args:
        page: the text of index.html.
        model: "trained" or "untrained".
        device: where the parameters are put.

    Returns:
        (vocabulary, parameters): a list of words, whose places are the token ids, and {name: float tensor}. The names
        of the layers are those of week 4, so that TransformerEncoder(2, 32, 4, 64) can load what begins with "layers.".
        There are also embedding.weight (word, 32), output.weight (2, 32) and output.bias (2,), the last two for "is"
        and "are". What goes into the first layer is embedding · √32 + the positional encoding of week 3.
    """
    import base64
    import json

    import numpy as np
    import torch

    text = page.split('<script type="application/json" id="course">')[1].split("</script>")[0]
    course = json.loads(text)
    parameters = {}
    for name, entry in course["models"][model].items():
        whole = np.frombuffer(base64.b64decode(entry["data"]), dtype="<i2").astype(np.float32)
        parameters[name] = torch.from_numpy(whole / course["unit"]).reshape(entry["shape"]).to(device)
    return course["vocabulary"], parameters
