"""A class made while the program ran, with the method kept under another name."""

kept = nn.TransformerDecoderLayer.forward


Layer = type("Mine", (nn.TransformerDecoderLayer,), {"forward": lambda self, *a, **k: kept(self, *a, **k)})
