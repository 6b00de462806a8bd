"""Sphinx's configuration of the site; build_site.py runs it."""

import os
import re

from docutils import nodes
from docutils.parsers.rst import roles
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

HERE = os.path.dirname(os.path.abspath(__file__))


def _version():
    with open(os.path.join(HERE, "../../meson.build"), encoding="utf-8") as file:
        return re.search(r"version: '([^']+)'", file.read()).group(1)


project = "cutlet"
author = "the cutlet authors"
release = version = _version()
copyright = "the cutlet authors, under the MIT licence"  # pylint: disable=redefined-builtin
extensions = ["myst_parser", "sphinx_copybutton"]
copybutton_prompt_text = "$ "
root_doc = "index"
exclude_patterns = ["names.txt"]
myst_heading_anchors = 6
myst_links_external_new_tab = False
highlight_language = "none"
smartquotes = False  # --option is one
primary_domain = "c"
c_extra_keywords = ["alignas", "alignof", "bool", "complex", "imaginary", "noreturn", "static_assert", "thread_local"]
# Each name has one page, and messages of Sphinx are errors: so is a link to nothing.
nitpicky = False
suppress_warnings = ["config.cache"]

html_theme = "furo"
html_title = f"cutlet {release}"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b57a4", "color-brand-content": "#0b57a4"},
    "dark_css_variables": {"color-brand-primary": "#7ab8ff", "color-brand-content": "#7ab8ff"},
}
html_static_path = [os.path.join(HERE, "static")]
html_css_files = ["site.css"]
html_search_scorer = os.path.join(HERE, "static/scorer.js")


def _ct_role(_name, _rawtext, text, _lineno, _inliner, _options=None, _content=None):
    """A name of the API in a doc comment: a link where the reference has it."""
    return [nodes.literal(text, text)], []


class LinkNames(SphinxTransform):
    """Inline code that is a name of the reference links to it, on every page."""

    default_priority = 9

    def apply(self, **_kwargs):
        with open(os.path.join(self.app.srcdir, "names.txt"), encoding="utf-8") as file:
            names = set(file.read().split())
        for literal in list(self.document.findall(nodes.literal)):
            name = re.sub(r"\(\)$", "", literal.astext())
            inside = literal.parent
            while inside is not None and not isinstance(inside, (nodes.reference, nodes.title)):
                inside = inside.parent
            if name in names and inside is None:
                link = addnodes.pending_xref("", refdomain="c", reftype="any", reftarget=name,
                                             refdoc=self.env.docname, refexplicit=True, refwarn=False)
                link["reftype"] = "identifier"
                literal.replace_self(link)
                link += literal


def setup(app):
    roles.register_local_role("ct", _ct_role)
    app.add_transform(LinkNames)
    return {"parallel_read_safe": True}
