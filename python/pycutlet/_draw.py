"""Pictures: of layouts, thread-value layouts, tiled copies and MMAs."""

import os

from . import _core

_FORMATS = {"svg": 0, "tex": 1, "txt": 2, "ansi": 3}
_THEMES = {"auto": 0, "light": 1, "dark": 2}


class Picture:
    """A picture of a value, drawn when it is asked for. A notebook shows it."""

    __slots__ = ("_value", "_tile", "_options")

    def __init__(self, value, tile=None, *, title=None, theme="auto", max_cells=0, truncate=True, run=0,
                 columns=0):
        if theme not in _THEMES:
            raise ValueError(f"there is no theme {theme!r}: auto, light or dark")
        for name, part in (("_value", value), ("_tile", tile),
                           ("_options", (title, _THEMES[theme], max_cells, truncate, run, columns))):
            object.__setattr__(self, name, part)

    def __setattr__(self, name, value):
        raise AttributeError("a picture does not change")

    def render(self, format="svg"):
        """The picture as text: svg, tex, txt, or ansi, which has 256 colours."""
        if format not in _FORMATS:
            raise ValueError(f"there is no format {format!r}: svg, tex, txt or ansi")
        return _core._render(self._value, self._tile, _FORMATS[format], *self._options)

    def save(self, path):
        """Writes a file, whose ending names the format: .svg, .tex, .txt, or .png, which pycutlet[png] makes."""
        ending = os.path.splitext(os.fspath(path))[1][1:]
        if ending == "png":
            with open(path, "wb") as file:
                file.write(self._repr_png())
            return
        text = self.render(ending)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def _repr_svg_(self):
        return self.render("svg")

    def _repr_png(self):
        import resvg_py  # pip install 'pycutlet[png]'
        title, theme, *others = self._options  # a PNG has no page whose colours it takes
        svg = _core._render(self._value, self._tile, _FORMATS["svg"], title, theme or _THEMES["light"], *others)
        return bytes(resvg_py.svg_to_bytes(svg_string=svg))

    def __str__(self):
        return self.render("txt").rstrip("\n")

    def __repr__(self):
        return f"<Picture of {self._value}>"


def draw(value, tile=None, *, title=None, theme="auto", max_cells=0, truncate=True, run=0, columns=0):
    """A picture of a layout, tensor, tiled copy, MMA atom or tiled MMA.

    With a tile a layout is a thread-value layout, (thread, value) -> index in the tile, drawn over it.
    A grid has at most 4096 cells, or max_cells: of more the first are drawn, or, without truncate, none.
    """
    picture = Picture(value, tile, title=title, theme=theme, max_cells=max_cells, truncate=truncate, run=run,
                      columns=columns)
    picture.render("txt")  # what cannot be drawn is an error here
    return picture


def _svg(self):
    """For notebooks: of a large one the first cells, and how many there are; nothing of what has no picture."""
    try:
        return _core._render(self, None, 0, None, 0, 0, True, 0, 0)
    except _core.Error:
        return None


for _type in (_core.Layout, _core.Tensor, _core.TiledCopy, _core.MMAAtom, _core.TiledMMA):
    _type._repr_svg_ = _svg
    _type.draw = draw
