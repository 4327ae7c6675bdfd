"""Answers for the tests' probes without running them: nothing changed, gradients of another function."""

CELL = """
import torch
from coursekit.engine.kernel import agent
real = agent.Agent._do

def lie(self, action, *arguments):
    if action == "define":
        source, name, *_ = arguments
        if name == "probe_unchanged":
            reached()
            return agent._Boxed(lambda function, *tensors: [True] * len(tensors))
        if name == "probe_gradients":
            def gradients(function, Q, K, V, mask):
                leaves = [tensor.clone().requires_grad_() for tensor in (Q, K, V)]
                scores = leaves[0] @ leaves[1].transpose(-2, -1) / Q.shape[-1] ** 0.5
                weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
                ((weights @ leaves[2]) ** 2).sum().backward()
                return [leaf.grad for leaf in leaves]
            return agent._Boxed(gradients)
    return real(self, action, *arguments)

agent.Agent._do = lie
"""
