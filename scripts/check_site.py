#!/usr/bin/env python3
"""Checks a built documentation site without any network: no page or stylesheet loads anything from http(s), and every
internal link and anchor leads somewhere.

Usage: scripts/check_site.py [FOLDER]      (default: build/site)
Prints one line per fault and exits with 1 if there is any.
"""

import argparse
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADING_ATTRIBUTES = {("script", "src"), ("img", "src"), ("img", "srcset"), ("source", "src"), ("source", "srcset"), ("iframe", "src"),
                      ("video", "src"), ("audio", "src"), ("embed", "src"), ("object", "data"), ("image", "href"), ("use", "href")}
LOADING_LINKS = {"stylesheet", "icon", "shortcut icon", "preload", "modulepreload", "preconnect", "dns-prefetch", "apple-touch-icon", "manifest"}
STYLE_URL = re.compile(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
REMOTE = re.compile(r"(?:https?:)?//", re.IGNORECASE)


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.in_style = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        self.in_style = tag == "style"
        self.ids.update(values[name] for name in ("id", "name") if values.get(name) and (name == "id" or tag == "a"))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag == "link" and values.get("rel", "").lower() in LOADING_LINKS:
            self.loads.append(values.get("href", ""))
        self.loads += [values[name] for element, name in LOADING_ATTRIBUTES if element == tag and values.get(name)]
        self.loads += style_urls(values.get("style", ""))

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        self.in_style = self.in_style and tag != "style"

    def handle_data(self, data):
        if self.in_style:
            self.loads += style_urls(data)


def style_urls(text):
    return [first or second for first, second in STYLE_URL.findall(text)]


def faults_of(site):
    pages = {file: Page(file.read_text()) for file in sorted(site.rglob("*.html"))}
    if site / "index.html" not in pages:
        yield f"{site}: expected a site with an index.html, found none"
    for file, page in pages.items():
        where = file.relative_to(site)
        for load in page.loads:
            yield from fault_of_load(site, file, where, load)
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not target.exists():
                yield f"{where}: expected a file of the site behind every link, found {link}"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                yield f"{where}: expected an anchor behind every link, found none for {link}"
    for file in sorted(site.rglob("*.css")):
        for load in style_urls(file.read_text()):
            yield from fault_of_load(site, file, file.relative_to(site), load)


def fault_of_load(site, file, where, load):
    if load.startswith("data:"):
        return
    if REMOTE.match(load):
        yield f"{where}: expected what a page loads within the site, found {load}"
    elif urlsplit(load).path and not (file.parent / unquote(urlsplit(load).path)).resolve().exists():
        yield f"{where}: expected what a page loads to be there, found {load}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent / "build/site")
    site = parser.parse_args().folder.resolve()
    found = list(faults_of(site))
    for fault in found:
        print(fault, file=sys.stderr)
    if found:
        sys.exit(1)
    print(f"{sum(1 for _ in site.rglob('*.html'))} pages: nothing is loaded from elsewhere, and every internal link leads somewhere")


if __name__ == "__main__":
    main()
