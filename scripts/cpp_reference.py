"""Pages of the C++ reference for scripts/docs_site.py: Doxygen reads the public headers of every room, Breathe shows
classes and structs, and what stands beside them in a header (functions, constants, enumerations) is written here."""

import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

# Breathe has no page for what Doxygen links to by these, and Sphinx's C++ parser takes no designated initializers.
LINK = re.compile(r'<ref refid="(?:\w+_8h|namespaceparetofl_1\w+)"[^>]*>(.*?)</ref>')
DROPPED = re.compile(r"<(initializer|defval)>[^<]*(?:<ref[^>]*>[^<]*</ref>[^<]*)*\{.*?</\1>", re.DOTALL)
COMMENT = re.compile(r"^(.*?)(///<?)(.*)$")


def escaped_comments(text):
    """A header whose comments Doxygen takes as they are: nothing in them is a command, a tag or a link."""
    lines = []
    for line in text.split("\n"):
        if match := COMMENT.match(line):
            words = re.sub(r"([\\<>@&#%])", r"\\\1", match.group(3))
            line = match.group(1) + match.group(2) + words.replace("::", "\\::")
        lines.append(re.sub(r"^( +\w+ local) = \{", r"\1{", line))  # Doxygen takes `local =` for a specifier
    return "\n".join(lines)


def run_doxygen(root, folder):
    """Leaves the XML of the headers in folder/xml."""
    for header in sorted((root / "paretofl").rglob("*.h")):
        copy = folder / "headers" / header.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(escaped_comments(header.read_text()))
    settings = (root / "docs/site/Doxyfile").read_text()
    settings += f"INPUT = {folder / 'headers'}\nOUTPUT_DIRECTORY = {folder}\nSTRIP_FROM_PATH = {folder / 'headers'}\n"
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True, stderr=subprocess.DEVNULL)
    for file in (folder / "xml").glob("*.xml"):
        file.write_text(DROPPED.sub("", LINK.sub(r"\1", file.read_text())))


def plain(element):
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def rst(text):
    return re.sub(r"([\\*`|_<>])", r"\\\1", text)


def declaration(member):
    kind, name = member.get("kind"), member.findtext("name")
    if kind == "enum":
        values = ", ".join(value.findtext("name") for value in member.findall("enumvalue"))
        return f"enum{' class' if member.get('strong') == 'yes' else ''} {name} {{ {values} }};"
    parameters = [" ".join(filter(None, (plain(p.find("type")), p.findtext("declname")))) for p in member.findall("templateparamlist/param")]
    template = f"template <{', '.join(parameters)}>\n" if member.find("templateparamlist") is not None else ""
    if kind == "typedef":
        return f"{template}using {name} = {plain(member.find('type'))};"
    return f"{template}{plain(member.find('type'))} {name}{member.findtext('argsstring') or ''}{' ' + plain(member.find('initializer')) if kind == 'variable' else ''};"


def free_members(xml):
    """What stands in a namespace, by header."""
    found = {}
    for file in sorted(xml.glob("namespaceparetofl*.xml")):
        for member in ElementTree.parse(file).iter("memberdef"):
            place = member.find("location")
            header = place.get("declfile") or place.get("file")
            if not member.findtext("name").startswith("@"):
                found.setdefault(header, []).append((int(place.get("declline") or place.get("line")), member))
    return {header: [member for _, member in sorted(members, key=lambda m: m[0])] for header, members in found.items()}


def types(xml):
    """Classes and structs outside of others, by header."""
    found = {}
    for kind in ("class", "struct"):
        for file in sorted(xml.glob(f"{kind}*.xml")):
            compound = ElementTree.parse(file).find("compounddef")
            name = compound.findtext("compoundname")
            outer = name.rsplit("::", 1)[0]
            if outer in ("paretofl",) and "<" not in name:
                place = compound.find("location")
                found.setdefault(place.get("file"), []).append((int(place.get("line")), kind, name))
    return {header: [(kind, name) for _, kind, name in sorted(entries)] for header, entries in found.items()}


def header_page(header, classes, members):
    name = Path(header).name
    page = f"{name}\n{'-' * len(name)}\n\n``#include \"{header}\"``\n\n"
    for kind, full in classes.get(header, []):
        page += f".. doxygen{kind}:: {full}\n   :members:\n   :undoc-members:\n\n"
    for member in members.get(header, []):
        code = "\n".join("   " + line for line in declaration(member).split("\n"))
        said = " ".join(filter(None, (plain(member.find("briefdescription")), plain(member.find("detaileddescription")))))
        page += f".. code-block:: cpp\n\n{code}\n\n{rst(said)}\n\n"
    return page


def write_reference(root, xml, folder, rooms):
    """One page per room of `rooms` (names and what they hold), and an index."""
    folder.mkdir(parents=True)
    classes, members = types(xml), free_members(xml)
    index = "C++ reference\n=============\n\nThe public headers of every room of ``paretofl/``, as they document themselves.\n\n"
    index += ".. toctree::\n   :hidden:\n\n" + "".join(f"   {room}\n" for room in rooms) + "\n"
    for room, holds in rooms.items():
        index += f":doc:`{room}`\n   {rst(holds)}\n\n"
        page = f"{room}\n{'=' * len(room)}\n\n{rst(holds[0].upper() + holds[1:])}.\n\n"
        for header in sorted((root / "paretofl" / room).glob("*.h")):
            page += header_page(str(header.relative_to(root)), classes, members)
        (folder / f"{room}.rst").write_text(page)
    (folder / "index.rst").write_text(index)
