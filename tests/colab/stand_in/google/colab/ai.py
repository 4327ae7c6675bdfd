def generate_text(prompt):
    raise ConnectionError("no model can be reached")
