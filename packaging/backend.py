"""How Python builds the package: by meson-python, which makes no source distribution without git, and no wheel of
Python 3.10 beside those of the stable interface."""

import io
import os
import re
import sys
import tarfile
import zipfile

import mesonpy
from mesonpy import build_editable, get_requires_for_build_sdist, get_requires_for_build_wheel  # noqa: F401

BUILT = re.compile(r"(build|build-.*|\.mesonpy-.*|\.git|.*_cache|__pycache__|dist)$")


def build_wheel(folder, config_settings=None, metadata=None):
    settings = dict(config_settings or {})
    if sys.version_info < (3, 11):
        given = settings.get("setup-args", [])
        settings["setup-args"] = [*([given] if isinstance(given, str) else given),
                                  "-Dpython.allow_limited_api=false"]
    name = mesonpy.build_wheel(folder, settings, metadata)
    compress(os.path.join(folder, name))
    return name


def compress(wheel):
    """Writes the files of a wheel again, as small as deflate makes them."""
    with zipfile.ZipFile(wheel) as archive:
        found = [(entry, archive.read(entry)) for entry in archive.infolist()]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for entry, content in found:
            archive.writestr(entry, content, compresslevel=9)


def build_sdist(folder, config_settings=None):
    if os.path.exists(".git"):
        return mesonpy.build_sdist(folder, config_settings)
    metadata = project()
    name = f"pycutlet-{metadata.version}"
    with tarfile.open(os.path.join(folder, name + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in files():
            archive.add(path, f"{name}/{path}", recursive=False)
        text = bytes(metadata.as_rfc822())
        member = tarfile.TarInfo(f"{name}/PKG-INFO")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text))
    return name + ".tar.gz"


def project():
    """What pyproject.toml and the version of meson.build say."""
    import pyproject_metadata
    try:
        import tomllib
    except ImportError:  # Python 3.10
        import tomli as tomllib
    with open("pyproject.toml", "rb") as file:
        table = tomllib.load(file)
    with open("meson.build", encoding="utf-8") as file:
        table["project"]["version"] = re.search(r"version: '([^']+)'", file.read()).group(1)
    table["project"]["dynamic"].remove("version")
    return pyproject_metadata.StandardMetadata.from_pyproject(table, os.curdir)


def files():
    """The files of the folder, but those of builds; the link to device/ is made by a build."""
    for folder, folders, names in os.walk(os.curdir):
        folders[:] = sorted(name for name in folders if not BUILT.match(name)
                            and not os.path.islink(os.path.join(folder, name)))
        for name in sorted(names):
            path = os.path.normpath(os.path.join(folder, name))
            if path != "PKG-INFO":
                yield path
