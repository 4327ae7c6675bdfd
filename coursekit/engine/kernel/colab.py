"""Replacements for Google Colab's own modules, as far as notebooks call them: they can be imported and do nothing.

Students write on Colab, where `from google.colab import drive` works. If it raised here, the rest of such a cell would
not run, and neither would an answer in it.
"""

import importlib
import sys
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from types import ModuleType
from typing import Any

FUNCTIONS = {
    "auth": ("authenticate_user", "authenticate_service_account"),
    "data_table": ("enable_dataframe_formatter", "disable_dataframe_formatter"),
    "drive": ("mount", "flush_and_unmount"),
    "files": ("download", "view", "upload"),
    "output": ("clear", "eval_js", "enable_custom_widget_manager", "disable_custom_widget_manager"),
    "patches": ("cv2_imshow",),
    "runtime": ("unassign",),
    "userdata": ("get",),
}
RETURNS = {"upload": {}, "get": ""}  # no file, no secret; all others return None


def install_empty_modules() -> None:
    """Add the modules in FUNCTIONS to `sys.modules`. To import another one of Colab's still raises ImportError."""
    try:
        google: Any = importlib.import_module("google")  # other packages of Google's share the name
    except ImportError:
        google = _module("google")
    google.colab = _module("google.colab")
    for name, functions in FUNCTIONS.items():
        module = _module(f"google.colab.{name}")
        setattr(google.colab, name, module)
        for function in functions:
            setattr(module, function, _no_op(f"{name}.{function}", RETURNS.get(function)))


def _module(name: str) -> ModuleType:
    sys.modules[name] = module_from_spec(ModuleSpec(name, None, is_package=True))
    return sys.modules[name]


def _no_op(name: str, value: Any) -> Any:
    def no_op(*_: Any, **__: Any) -> Any:
        print(f"{name}: nothing is done while the notebook is graded.")
        return value

    return no_op
