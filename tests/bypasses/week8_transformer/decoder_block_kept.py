"""The class under another name."""

Layer = nn.TransformerDecoderLayer
