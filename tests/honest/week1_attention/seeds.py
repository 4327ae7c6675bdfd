"""Sets seeds everywhere and asks for deterministic algorithms; a seed at the top of each answer."""


def habit(submission):
    submission.add(
        "import os, random\nos.environ['PYTHONHASHSEED'] = '7'\nos.environ['CUBLAS_WORKSPACE_CONFIG'] = ':4096:8'\n"
        "random.seed(1); np.random.seed(2); torch.manual_seed(3)\ntorch.use_deterministic_algorithms(True)\n"
        "rng = np.random.default_rng(); torch.seed()"
    )
    for name in ("softmax", "attention", "scaling"):
        code = submission[name]
        lines = [
            f"{line}\n    torch.manual_seed(0)" if line.endswith("):") else line for line in code.split("\n")
        ]
        submission[name] = "torch.manual_seed(0)\n" + "\n".join(lines)
