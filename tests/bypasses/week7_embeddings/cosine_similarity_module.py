"""A module that was made before."""

ready = nn.CosineSimilarity(dim=-1)
