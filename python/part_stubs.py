"""Writes the stub files of the engine's parts as functions, such as paretofl.solvers.min_norm, which exist only once the engine is asked.

Usage: python/part_stubs.py FOLDER_OF_ENGINE OUTPUT_FOLDER
The file _solvers.pyi has the functions of paretofl.solvers with their options and docstrings, and so on. The build calls it.
"""

import sys
from pathlib import Path

sys.path[:0] = [sys.argv[1], str(Path(__file__).parent / "paretofl")]
import _engine
from part_documentation import documentation

HEAD = """from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from paretofl.annotations import ArrayLike, NDArray, Path, TensorT
{imports}
__all__ = [{names}]
"""
# By module: the kind of part, the arguments before the options, and the result; {array} is the type of the first argument.
SOLVER = ("gramian: {array}, losses: ArrayLike | None = None, preference: ArrayLike | None = None, previous: ArrayLike | None = None, "
          "step: int = 1, previous_losses: ArrayLike | None = None, two_sample_products: ArrayLike | None = None")
MODULES = {
    "solvers": ("solver", SOLVER, "NDArray[np.float64]"),
    "compressors": ("compressor", "jacobian: ArrayLike, seed: int = 0", "Sketch"),
    "preferences": ("preference distribution", "objectives: int, clients: int, seed: int = 0", "NDArray[np.float64]"),
    "rewards": ("reward", "completions: Sequence[str], prompts: Sequence[str] | None = None, references: Sequence[str] | None = None",
                "NDArray[np.float64]"),
    "question_sets": ("question set", 'seed: int = 1, data_root: Path = "data"', "dict[str, list[tuple[str, str, str]]]"),
}
TYPES = {"boolean": "bool", "integer": "int", "real": "float", "text": "str", "list of reals": "ArrayLike", "list of texts": "Sequence[str]"}


def option_parameters(options, arguments):
    """The options as keyword parameters; those of a group are one dictionary, and one with an argument's name is left to the argument."""
    parameters = {}
    for key, kind, _, span, _ in options:
        name, _, inner = key.partition(".")
        if inner:
            parameters[name] = "dict[str, Any]"
        elif kind == "text" and span:
            parameters[name] = "Literal[" + ", ".join(f'"{choice}"' for choice in span.split(", ")) + "]"
        else:
            parameters[name] = TYPES.get(kind, "str | dict[str, Any]")
    taken = {argument.split(":")[0].strip() for argument in arguments.split(",")}
    return [f"{name}: {kind} = ..." for name, kind in parameters.items() if name not in taken]


def stub(module):
    kind, arguments, result = MODULES[module]
    entries = _engine.entries(kind)
    imports = "from paretofl.compressors import Sketch\n" if result == "Sketch" else ""
    text = HEAD.format(imports=imports, names=", ".join(f'"{entry[0]}"' for entry in entries))
    for name, summary, reference, _, options in entries:
        keywords = option_parameters(options, arguments)
        parameters = arguments + (", *, " + ", ".join(keywords) if keywords else "")
        described = documentation(summary, reference, f"Arguments and result: see the module paretofl.{module}.", options)
        described = '    """' + described.replace("\\", "\\\\").replace("\n", "\n    ").replace("    \n", "\n") + '"""\n'
        if "{array}" in parameters:
            text += f"\n@overload\ndef {name}({parameters.format(array='TensorT')}) -> TensorT:\n{described}"
            text += f"@overload\ndef {name}({parameters.format(array='ArrayLike')}) -> {result}:\n{described}"
        else:
            text += f"\ndef {name}({parameters}) -> {result}:\n{described}"
    return text


for module in MODULES:
    (Path(sys.argv[2]) / f"_{module}.pyi").write_text(stub(module), encoding="utf-8")
