#!/usr/bin/env python3
"""Puts the playground together: the files of the page and the module in a folder of their own.

    assemble.py FOLDER STAMP FILE..

The service worker gets the names of the files, and a version that changes with their bytes.
"""

import hashlib
import os
import shutil
import sys


def main():
    folder, stamp, *files = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    names = {os.path.basename(path): path for path in files}
    version = hashlib.sha256()
    for name in sorted(names):
        with open(names[name], "rb") as file:
            version.update(name.encode() + b"\0" + file.read())
    for name in os.listdir(folder):
        if name not in names:
            os.remove(os.path.join(folder, name))  # of an earlier build
    for name, path in names.items():
        target = os.path.join(folder, name)
        if name != "sw.js":
            shutil.copyfile(path, target)
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        kept = ", ".join(f'"{other}"' for other in sorted(names) if other != name)
        text = text.replace("@VERSION@", version.hexdigest()[:16]).replace("@FILES@", kept)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(version.hexdigest() + "\n")


if __name__ == "__main__":
    main()
