"""The command `paretofl`: the program that the package contains, or the same in this process where a plugin is a Python file."""

import os
import signal
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def main():
    """Runs the command with this process's arguments."""
    if needs_python(sys.argv[1:], os.environ.get("PARETOFL_PLUGINS", "")):
        from threadpoolctl import threadpool_limits  # type: ignore[import-untyped, unused-ignore]

        from paretofl import _engine, plugins

        plugins.after_file = lambda: threadpool_limits(1)  # of the libraries that the file has loaded too, as in paretofl.run
        os.environ.setdefault("PARETOFL_PRESETS", str(FOLDER / "share" / "paretofl" / "experiments"))
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.exit(_engine.command(["paretofl", *sys.argv[1:]]))
    os.execv(FOLDER / "bin" / "paretofl", ["paretofl", *sys.argv[1:]])


def needs_python(arguments, plugins):
    """Whether --plugin, or a list of files with colons between them, names a Python file."""
    named = [after for before, after in zip(arguments, arguments[1:]) if before == "--plugin"]
    named += [argument.partition("=")[2] for argument in arguments if argument.startswith("--plugin=")]
    return any(file.endswith(".py") for file in [*named, *plugins.split(":")])


if __name__ == "__main__":
    main()
