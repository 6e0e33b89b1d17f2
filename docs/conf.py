"""The settings of Sphinx for the copy of the repository that `docs._site` makes. Nothing is fetched."""

from __future__ import annotations

import os
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes

import tantra_envs

project = "tantra_envs"
author = "The tantra_envs authors"
copyright = author
release = tantra_envs.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon", "sphinx_copybutton"]
root_doc = "README"
include_patterns = ["*.md", "reference.rst", "reference/*", "docs/**", "tantra_envs/games/*/README.md"]
exclude_patterns = ["docs/_site", "DESCRIPTION.md"]
templates_path = [str(Path(__file__).parent / "_site/templates")]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block", "attrs_inline"]
default_role = "code"  # docstrings mark code by single backticks, as Markdown does
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_type_aliases = {"npt.ArrayLike": "ArrayLike"}
highlight_language = "none"  # of blocks that do not say
pygments_dark_style = "github-dark"  # the usual one underlines imports
copybutton_prompt_text = ">>> "

html_theme = "furo"
html_title = f"tantra_envs {release}"
html_theme_options = {
    "navigation_with_keys": True,
    "top_of_page_buttons": [],
    "light_css_variables": {"color-brand-primary": "#0a7d4d", "color-brand-content": "#0a7d4d"},
    "dark_css_variables": {"color-brand-primary": "#46cf96", "color-brand-content": "#46cf96"},
}
html_static_path = [str(Path(__file__).parent / "_static")]
html_css_files = ["site.css"]
html_js_files = ["colours.js"]
html_search_scorer = str(Path(__file__).parent / "_static/search_ranking.js")  # pages before attributes
html_favicon = str(Path(__file__).parent / "_static/favicon.svg")
html_show_sphinx = False
html_copy_source = False
HEADER = "Commands run in "  # of the line under every title
html_baseurl = os.environ.get("SITE_ADDRESS", "")  # previews of links need a whole address of the picture


def add_preview(app: Any, _name: str, _template: str, context: dict[str, Any], page: Any) -> None:
    """Add what a preview of a link to the page shows: its title, its first paragraph and a picture."""
    paragraphs = [node.astext() for node in page.findall(nodes.paragraph)] if page else []
    text = next((text for text in paragraphs if not text.startswith(HEADER)), project)
    where, base = "docs/pictures/start/play.png", app.config.html_baseurl
    picture = f"{base}{where}" if base else context["pathto"](where, resource=True)
    about = escape(" ".join(text.split()))
    context["metatags"] = f'''{context.get("metatags", "")}
    <meta name="description" content="{about}">
    <meta property="og:title" content="{escape(re.sub("<.*?>", "", context.get("title", project)))}">
    <meta property="og:description" content="{about}">
    <meta property="og:image" content="{picture}">'''


def setup(app: Any) -> None:
    """Register the preview."""
    app.connect("html-page-context", add_preview)
