#!/usr/bin/python3
"""Builds the documentation site, build/site/index.html, without any network: the Markdown documents of the
repository, the experiments' pages, and a C++ reference of every room's public headers by Doxygen and Breathe.

Usage: scripts/docs_site.py [--jobs N]      (its sources, assembled, stay in build/site_sources)
Runs under Debian's Python, which has Debian's Sphinx.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import cpp_reference

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "build" / "site_sources"
SITE = ROOT / "build" / "site"
XML = ROOT / "build" / "site_xml"
# Code blocks, which have brackets beside parentheses of their own, are matched first and left as they are.
LINK = re.compile(r"^```.*?^```$|(\[[^\]]*\])\(([^)\s#]+)(#[^)\s]*)?\)", re.MULTILINE | re.DOTALL)
DEBIAN_STYLE = re.compile(r"/javascript/[\w./-]+\.css")
ROOM_ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \|", re.MULTILINE)


def documents():
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ROADMAP.md")]
    return top + sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "experiments").rglob("*.md")])


def site_path(file):
    """Where a document of the repository lies among the site's sources: README.md is the first page."""
    place = file.relative_to(ROOT)
    return SOURCES / ("index.md" if place == Path("README.md") else place)


def assembled(file):
    """A document's text for the site. Files that it links to come along, and links to folders become plain text."""

    def link(match):
        text, target, anchor = match.groups()
        if text is None:
            return match.group(0)
        if "://" in target or target.startswith("mailto:"):
            return match.group(0)
        path = (file.parent / target).resolve()
        if not path.exists():
            sys.exit(f"{file.relative_to(ROOT)}: expected a link to a file of the repository, found {target}")
        if path.is_dir():
            return text[1:-1]
        if path.suffix != ".md":
            copy = SOURCES / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, copy)
            return match.group(0)
        return f"{text}({os.path.relpath(site_path(path), site_path(file).parent)}{anchor or ''})"

    return LINK.sub(link, file.read_text())


def toctree(entries):
    return "\n```{toctree}\n:hidden:\n\n" + "\n".join(entries) + "\n```\n"


def write_documents():
    for file in documents():
        if file.parent == ROOT / "docs" / "site":
            continue
        text = assembled(file)
        if file == ROOT / "README.md":
            text += (ROOT / "docs/site/contents.md").read_text()
        elif file.name == "README.md" or file == ROOT / "docs" / "recipes.md":
            folder = file.parent if file.name == "README.md" else ROOT / "docs" / "recipes"
            below = [f for f in sorted(folder.rglob("*.md")) if f != file]
            text += toctree(str(f.relative_to(file.parent).with_suffix("")) for f in below) if below else ""
        if not text.startswith("#"):
            text = f"# {file.stem.replace('_', ' ').capitalize()} of {file.parent.parent.name}\n\n{text}"
        if "\n## " not in text:
            text = text.replace("\n### ", "\n## ")
        target = site_path(file)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def check_gallery():
    text = (ROOT / "docs/gallery.md").read_text()
    missing = [str(f.relative_to(ROOT)) for f in sorted((ROOT / "experiments").glob("*/results/*.svg")) if f"../{f.relative_to(ROOT)}" not in text]
    if missing:
        sys.exit(f"docs/gallery.md: expected every picture of the experiments, found none of {', '.join(missing)}")


def rooms():
    """Every room with what docs/architecture.md says that it holds."""
    table = dict(ROOM_ROW.findall((ROOT / "docs/architecture.md").read_text()))
    found = sorted(f.name for f in (ROOT / "paretofl").iterdir() if f.is_dir())
    if missing := [room for room in found if room not in table]:
        sys.exit(f"docs/architecture.md: expected a row for every room, found none for {', '.join(missing)}")
    return {room: table[room].strip() for room in found}


def run_sphinx(jobs):
    environment = os.environ | {"PARETOFL_DOXYGEN_XML": str(XML / "xml")}
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-c", ROOT / "docs/site", "-n", "-W", "--keep-going", "-q", "-j", jobs,
               "-d", ROOT / "build/site_doctrees", SOURCES, SITE]
    return subprocess.run(command, env=environment).returncode


def bring_debian_styles():
    """Debian's themes import styles by their place on a web server of Debian's; these come into the site."""
    for file in SITE.rglob("*.css"):
        text = file.read_text()
        for imported in set(DEBIAN_STYLE.findall(text)):
            name = imported.rsplit("/", 1)[1]
            shutil.copy2(Path("/usr/share") / imported.lstrip("/"), file.parent / name)
            text = text.replace(imported, name)
        file.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", default="2")
    arguments = parser.parse_args()
    for folder in (SOURCES, SITE, XML, ROOT / "build/site_doctrees"):
        shutil.rmtree(folder, ignore_errors=True)
    check_gallery()
    write_documents()
    cpp_reference.run_doxygen(ROOT, XML)
    cpp_reference.write_reference(ROOT, XML / "xml", SOURCES / "reference", rooms())
    if status := run_sphinx(arguments.jobs):
        sys.exit(status)
    bring_debian_styles()
    print(f"the site: {SITE.relative_to(ROOT)}/index.html")


if __name__ == "__main__":
    main()
