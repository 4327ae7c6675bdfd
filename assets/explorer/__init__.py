"""The interactive attention page: a small encoder, its training, and the page that shows its arithmetic.

words       the little language and the question that the encoder answers
encoder     the encoder, with the names of the course, and what it worked out on the way
train       trains it and writes weights.json
storage     parameters as text in weights.json, rounded so that page and PyTorch have the same numbers
measure     numbers about a run, from which the steps of the page make their claims
build       puts all together into index.html
parameters  for notebooks: the encoder's parameters, to be loaded into one's own
export      for notebooks: a file of one's own weights, which the page compares with its own
frame       for notebooks: the page in a sandboxed frame
"""
