#!/usr/bin/env python3
"""Plants faults in a small site and expects check_site to name each of them."""

import tempfile
import unittest
from pathlib import Path

import check_site

PAGE = '<html><head><link rel="stylesheet" href="style.css"></head><body id="top"><a href="#top">up</a>{}</body></html>'


class CheckSiteTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site = Path(folder.name).resolve()
        (self.site / "style.css").write_text("body { background: url(data:image/png;base64,AA==); }")
        self.page("")

    def page(self, body):
        (self.site / "index.html").write_text(PAGE.format(body))

    def expect(self, *found):
        self.assertEqual(list(check_site.faults_of(self.site)), list(found))

    def test_a_whole_site_passes(self):
        self.page('<a href="https://example.org">elsewhere</a><a href="index.html#top">here</a>')
        self.expect()

    def test_what_is_loaded_from_elsewhere(self):
        for load in ("https://example.org/a.js", "//example.org/a.js"):
            self.page(f'<script src="{load}"></script>')
            self.expect(f"index.html: expected what a page loads within the site, found {load}")
        self.page("")
        (self.site / "style.css").write_text('@import "https://example.org/font.css";')
        self.expect("style.css: expected what a page loads within the site, found https://example.org/font.css")

    def test_missing_files_and_anchors(self):
        self.page('<img src="gone.png">')
        self.expect("index.html: expected what a page loads to be there, found gone.png")
        self.page('<a href="gone.html">gone</a>')
        self.expect("index.html: expected a file of the site behind every link, found gone.html")
        self.page('<a href="#gone">gone</a>')
        self.expect("index.html: expected an anchor behind every link, found none for #gone")

    def test_a_folder_without_a_site(self):
        (self.site / "index.html").unlink()
        self.expect(f"{self.site}: expected a site with an index.html, found none")


if __name__ == "__main__":
    unittest.main()
