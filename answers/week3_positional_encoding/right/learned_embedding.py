"""learned: nn.Embedding with its weights drawn again, rows looked up by index.

Question: learned
"""


class LearnedPositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        nn.init.normal_(self.embedding.weight, mean=0.0, std=0.02)

    def forward(self, x):
        if x.shape[1] > self.embedding.num_embeddings:
            raise ValueError("the sequence is longer than the table")
        positions = torch.arange(x.shape[1], device=x.device)
        return x + self.embedding(positions)
