#!/usr/bin/env python3
"""Puts the playground together: one HTML file, which has its style, its scripts and the library inside.

    assemble.py FOLDER STAMP FILE..
"""

import base64
import gzip
import os
import re
import sys

MODULES = ["parts.js", "state.js", "examples.js", "fields.js", "engine.js", "app.js"]  # each after those that it imports


def main():
    folder, stamp, *files = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    texts = {}
    for path in files:
        with open(path, "rb") as file:
            texts[os.path.basename(path)] = file.read()
    library = base64.b64encode(gzip.compress(texts.pop("cutlet.wasm"), 9, mtime=0)).decode()
    texts = {name: text.decode() for name, text in texts.items()}
    plain = lambda name: re.sub(r"^export ", "", re.sub(r'^import .*?;\n', "", texts[name], flags=re.M | re.S), flags=re.M)
    script = (f'<script type="text/plain" id="worker">{plain("module.js")}{plain("worker.js")}</script>\n'
              f'<script type="text/plain" id="library">{library}</script>\n'
              f'<script type="module">{"".join(map(plain, MODULES))}</script>')
    page = texts["index.html"].replace('<link rel="stylesheet" href="style.css">', f'<style>{texts["style.css"]}</style>')
    page = page.replace('<script type="module" src="app.js"></script>', script)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))  # of an earlier build
    for path in (os.path.join(folder, "index.html"), stamp):
        with open(path, "w", encoding="utf-8") as file:
            file.write(page if path != stamp else "made\n")


if __name__ == "__main__":
    main()
