"""The command `paretofl`: the program that the package contains."""

import os
import sys
from pathlib import Path


def main():
    """Replaces this process by the program, with the same arguments."""
    program = Path(__file__).parent / "bin" / "paretofl"
    os.execv(program, ["paretofl", *sys.argv[1:]])


if __name__ == "__main__":
    main()
