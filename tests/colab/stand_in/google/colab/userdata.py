def get(name):
    raise KeyError(name)  # Colab raises an error of its own where there is no such secret
