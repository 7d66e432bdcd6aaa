"""The docstring of a part as a function. It imports nothing, since the build uses it for the stub files before the package is installed."""


def documentation(summary, reference, arguments, options):
    """The text of `help(paretofl.solvers.NAME)`: what the part is, a line about its arguments, and its options."""
    headline = summary[:1].upper() + summary[1:]
    lines = [f"{headline} ({reference})." if reference else f"{headline}.", "", arguments]
    if options:
        lines += ["", "Options:"]
        lines += [f"    {key} ({kind}, default {default}{', ' + span if span else ''}): {meaning}" for key, kind, default, span, meaning in options]
    return "\n".join(lines)
