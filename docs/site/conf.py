"""Sphinx configuration of the documentation site. scripts/docs_site.py assembles the sources and calls Sphinx."""

import os

project = "ParetoFL"
author = "the ParetoFL authors"
extensions = ["myst_parser", "breathe"]
templates_path = []
exclude_patterns = []
myst_heading_anchors = 4
html_theme = "furo"
html_title = "ParetoFL"
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
highlight_language = "none"
breathe_projects = {"paretofl": os.environ.get("PARETOFL_DOXYGEN_XML", "")}
breathe_default_project = "paretofl"
breathe_default_members = ("members",)
breathe_show_include = False
primary_domain = "cpp"
nitpick_ignore_regex = [("cpp:.*", ".*")]  # names of other libraries and of private types
