#!/usr/bin/env python3
"""Writes the pages docs/reference*.md, the reference of the Python package, from its docstrings and type annotations.

Usage: build/venv/bin/python scripts/reference_page.py [--check]
It runs under a Python that has the package, PyTorch and Gymnasium. --check writes nothing, and exits with 1 unless the pages are up to date.
"""

import argparse
import importlib
import inspect
import re
import sys
import textwrap
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
WIDTH = 120
BASICS = """n is the number of clients, M the number of objectives, d the number of parameters and theta the parameters. Shapes are in brackets: [n, d]
has n rows of d numbers. Arguments of the type `ArrayLike` are NumPy arrays, PyTorch tensors or nested lists. Losses, rewards and figures have
the units of the problem. Wrong input is a `paretofl.Error`, whose message says what was expected and what was found.
"""
WRITTEN = "This page is written by `scripts/reference_page.py` from the docstrings, which `help(paretofl.run)` prints too.\n"

# By page: its title, what it says first, and its sections with the modules and names that they describe; None: all names.
PAGES = {
    "reference.md": ("Python reference: runs and problems", "[Python](python.md) introduces the package with examples. Its other public classes and "
                     "functions are on the pages [environments, callbacks and parts of your own](reference_parts.md) and "
                     "[functions of arrays](reference_arrays.md).", [
        ("Runs", "paretofl", ["run", "Run", "Rows", "host", "federate", "sweep", "Sweep", "plot"]),
        ("Problems", "paretofl", ["Problem", "Draw", "Error"]),
        ("PyTorch", "paretofl.torch", None),
        ("Types", "paretofl.annotations", []),
    ]),
    "reference_parts.md": ("Python reference: environments, callbacks and parts of your own", "[My environment](my_environment.md) and "
                           "[My solver, my strategy, my reward](my_parts.md) introduce these classes and functions with examples. Runs and "
                           "problems are in the [Python reference](reference.md).", [
        ("Environments", "paretofl.environments", None),
        ("Callbacks", "paretofl.callbacks", None),
        ("Parts of your own", "paretofl", ["Solver", "register_solver", "Strategy", "register_strategy", "Round", "Replies", "Part", "Reward",
                                           "register_reward", "QuestionSet", "register_question_set", "load_plugin"]),
    ]),
    "reference_arrays.md": ("Python reference: functions of arrays", "The engine's parts as functions of arrays and texts. Runs and problems are in "
                            "the [Python reference](reference.md).", [
        ("Solvers", "paretofl.solvers", ["solve"]),
        ("Compressors", "paretofl.compressors", ["compress", "Sketch"]),
        ("Aggregators", "paretofl.aggregators", None),
        ("Preferences", "paretofl.preferences", ["draw"]),
        ("Indicators", "paretofl.indicators", None),
        ("Epsilon", "paretofl", ["epsilon"]),
        ("Privacy", "paretofl.privacy", None),
        ("Rewards", "paretofl.rewards", ["score"]),
        ("Question sets", "paretofl.question_sets", ["load"]),
    ]),
}
KINDS = {"solvers": "solver", "compressors": "compressor", "preferences": "preference distribution", "rewards": "reward",
         "question_sets": "question set"}


def parameter_text(parameter):
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = stars + parameter.name
    if parameter.annotation is not parameter.empty:
        text += f": {parameter.annotation}"
    if parameter.default is not parameter.empty:
        text += f" = {parameter.default!r}" if ":" in text else f"={parameter.default!r}"
    return text


def signature(name, function):
    """NAME(PARAMETERS) -> RESULT, without self; of compiled functions as their docstring's first line has it."""
    compiled = re.match(r"\w+\((?:self(?:, )?)?(.*)\) -> (.*)", inspect.getdoc(function) or "")
    if not inspect.isfunction(inspect.unwrap(function)) and compiled:
        result = re.sub(r"numpy\.ndarray\[dtype=(\w+)\]", r"NDArray[np.\1]", compiled[2])
        return f"{name}({compiled[1]}) -> {result}"
    found = inspect.signature(function)
    parameters, starred = [], False
    for parameter in list(found.parameters.values()):
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind == parameter.KEYWORD_ONLY and not starred:
            parameters.append("*")
        starred = starred or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        parameters.append(parameter_text(parameter))
    result = "" if found.return_annotation is found.empty else f" -> {found.return_annotation}"
    return f"{name}({', '.join(parameters)}){result}"


def code_block(text):
    lines = textwrap.wrap(text, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "```python\n" + "\n".join(lines) + "\n```\n"


def docstring(owner, where):
    text = inspect.getdoc(owner)
    if not text:
        sys.exit(f"reference_page: expected a docstring of {where}, found none")
    return re.sub(r"\A\w+\(.*\) -> .*\n+", "", text)  # of a compiled function its signature


def markdown(text):
    """A docstring as Markdown: its parameters as a list, its examples as code, every paragraph on lines as long as the repository's."""
    blocks = []
    for paragraph in re.split(r"\n\s*\n", text):
        lines = paragraph.splitlines()
        if blocks and blocks[-1].startswith("```") and lines[0].startswith("    "):
            blocks[-1] = blocks[-1][:-3] + "\n" + code(paragraph)
        elif lines[0].startswith("    "):
            blocks.append("```python\n" + code(paragraph))
        elif re.match(r"\w+(, \w+)*: ", lines[0]):
            blocks.append("\n".join(parameter_items(lines)))
        else:
            blocks.append(filled(" ".join(lines)))
    return "\n\n".join(blocks) + "\n"


def code(paragraph):
    return re.sub(r"^    ", "", paragraph, flags=re.MULTILINE) + "\n```"


def parameter_items(lines):
    items = []
    for line in lines:
        named = re.match(r"(\w+(?:, \w+)*): (.*)", line)
        if named:
            items.append(", ".join(f"`{name}`" for name in named[1].split(", ")) + f": {named[2]}")
        else:
            items[-1] += " " + line.strip()
    return [filled(f"- {item}", "  ") for item in items]


def filled(text, indent=""):
    return textwrap.fill(text, 140, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def members(kind):
    """The public attributes, properties and methods of a class that have a docstring of their own."""
    for name, member in vars(kind).items():
        if name.startswith("_") or name == "check_class":
            continue
        member = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if isinstance(member, property) or type(member).__name__ in ("nb_method", "nb_func") or inspect.isfunction(member):
            if inspect.getdoc(member) and member.__doc__:
                yield name, member


def property_text(name, member):
    annotation = getattr(member.fget, "__annotations__", {}).get("return")
    compiled = re.search(r"-> (\S+)", getattr(member.fget, "__nb_signature__", ((" ",),))[0][0] or "")
    found = annotation or (compiled[1] if compiled else None)
    return f"{name}: {found}" if found else name


def entry(module, name):
    owner = getattr(module, name)
    text = f"### {module.__name__}.{name}\n\n"
    if inspect.isclass(owner):
        if "__init__" in vars(owner) and inspect.isfunction(owner.__init__) and hand_made(owner):
            text += code_block(signature(name, owner.__init__).removesuffix(" -> None")) + "\n"
        text += markdown(docstring(owner, name))
        items = []
        for member_name, member in members(owner):
            head = property_text(member_name, member) if isinstance(member, property) else signature(member_name, member)
            said = markdown(docstring(member, f"{name}.{member_name}"))
            items.append(textwrap.indent(f"`{head}`\n\n{said}", "  ").replace("  `", "- `", 1) if "\n\n" in said or len(head) > 100
                         else filled(f"- `{head}`: {' '.join(said.split())}", "  ") + "\n")
        return text + ("\nAttributes and methods:\n\n" + "".join(items) if items else "")
    return text + code_block(signature(name, owner)) + "\n" + markdown(docstring(owner, name))


def hand_made(kind):
    """Whether users make objects of this class: others are handed to them."""
    return kind.__name__ not in ("Replies", "Round", "Sketch", "Policy")


def parts_table(module):
    """The functions of the registered parts."""
    from paretofl import _engine

    name = module.__name__.rpartition(".")[2]
    text = f"| function of `{module.__name__}` | what it is | options and their defaults |\n|---|---|---|\n"
    for part, summary, reference, _, options in _engine.entries(KINDS[name]):
        listed = ", ".join(f"`{key} = {default}`" for key, _, default, _, _ in options)
        cells = (f"`{part}`", summary + (f" ({reference})" if reference else ""), listed)
        text += "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
    return text


def section(title, module_name, names):
    module = importlib.import_module(module_name)
    text = f"## {title}\n\n"
    if module_name != "paretofl":
        text += markdown(docstring(module, module_name)) + "\n"
    if module_name.rpartition(".")[2] in KINDS:
        text += parts_table(module) + "\n"
    return text + "\n".join(entry(module, name) for name in (module.__all__ if names is None else names))


def page(name):
    title, introduction, sections = PAGES[name]
    return f"# {title}\n\n{filled(introduction)}\n\n{BASICS}\n{WRITTEN}\n" + "\n".join(section(*one) for one in sections)


def check_complete():
    """Every public name of a module is in some section."""
    listed = {}
    for _, _, sections in PAGES.values():
        for _, module_name, names in sections:
            module = importlib.import_module(module_name)
            listed.setdefault(module, set()).update(module.__all__ if names is None or module.__name__.endswith("annotations") else names)
    for module, names in listed.items():
        public = {name for name in module.__all__ if not inspect.ismodule(getattr(module, name))}
        if module.__name__.rpartition(".")[2] in KINDS:
            from paretofl.registered import names as parts

            public -= set(parts(KINDS[module.__name__.rpartition(".")[2]]))
        if missing := public - names:
            sys.exit(f"reference_page: expected a section for every public name of {module.__name__}, found none for {', '.join(sorted(missing))}")


def check_installed():
    """Ends unless the installed package has the Python files of this folder: an older one's docstrings would become the pages."""
    source = DOCS.parent / "python" / "paretofl"
    installed = Path(importlib.import_module("paretofl").__file__).parent
    for file in sorted(source.rglob("*.py")):
        copy = installed / file.relative_to(source)
        if not copy.is_file() or copy.read_bytes() != file.read_bytes():
            sys.exit(f"python/paretofl/{file.relative_to(source)}: expected the same file in the installed package, found "
                     f"{'another' if copy.is_file() else 'none'}; run scripts/python.sh install 2")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare the pages instead of writing them")
    check_only = parser.parse_args().check
    check_installed()
    check_complete()
    for name in PAGES:
        text, file = page(name), DOCS / name
        if not check_only:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            sys.exit(f"docs/{name}: expected what the docstrings say, found another text; run build/venv/bin/python scripts/reference_page.py")


if __name__ == "__main__":
    main()
