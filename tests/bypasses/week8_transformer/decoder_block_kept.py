"""The class under another name.

With: block_by_ready_layer
"""

Layer = nn.TransformerDecoderLayer
