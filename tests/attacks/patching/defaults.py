"""Changes every default that a comparison could depend on: dtype, device, grad mode, printing, error states."""

CELL = """
import numpy as np, torch, warnings, decimal, locale
torch.set_default_dtype(torch.float16)
torch.set_default_device("meta")
torch.set_grad_enabled(False)
torch.inference_mode(True).__enter__()
torch.use_deterministic_algorithms(True)
torch.set_printoptions(precision=0)
torch.set_flush_denormal(True)
np.seterr(all="ignore")
np.set_printoptions(precision=0)
decimal.getcontext().prec = 1
warnings.simplefilter("ignore")
reached(torch.zeros(1).is_meta, torch.zeros(1).dtype == torch.float16)
"""
