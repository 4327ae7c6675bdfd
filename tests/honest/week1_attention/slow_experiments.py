"""Trains ten models of its own between the questions, half a minute each on Colab."""

EXPERIMENT = """# my experiment {number}
model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 64))
opt = torch.optim.Adam(model.parameters())
for step in range(20000):
    x = torch.randn(256, 64)
    loss = ((model(x) - x) ** 2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())"""


def habit(submission):
    for number, question in enumerate(("softmax", "attention", "causal_mask", "padding_mask", "scaling") * 2):
        submission.add(EXPERIMENT.format(number=number), before=question)
