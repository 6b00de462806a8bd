"""mypy and pyright find what is wrong in a program that uses the package, and nothing else."""

import json
import os
import re
import subprocess
import sys

import pytest

import pycutlet

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hints_sample.py")


def wrong_lines():
    with open(SAMPLE, encoding="utf-8") as file:
        return {number for number, line in enumerate(file, 1) if line.rstrip().endswith("# wrong")}


def run(*command):
    return subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)


def test_mypy(tmp_path):
    pytest.importorskip("mypy")
    done = run("mypy", "--strict", "--follow-imports=silent", "--cache-dir", str(tmp_path), SAMPLE)
    found = {int(line) for line in re.findall(r"hints_sample\.py:(\d+): error", done.stdout)}
    assert found == wrong_lines() and len(found) == 4, done.stdout + done.stderr


def test_pyright(tmp_path):
    pytest.importorskip("pyright")
    settings = {"typeCheckingMode": "strict", "include": [os.path.relpath(SAMPLE, tmp_path)], "pythonVersion": "3.11",
                "extraPaths": [os.path.dirname(os.path.dirname(pycutlet.__file__))]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = run("pyright", "--outputjson", "--project", str(tmp_path))
    found = [one for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"]
    assert {one["range"]["start"]["line"] + 1 for one in found} == wrong_lines(), found


def test_stub_holds_every_name():
    """What the hints name exists, and what exists has hints."""
    import ast
    with open(os.path.join(os.path.dirname(pycutlet.__file__), "__init__.pyi"), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for name, node in classes.items():
        own = name[1:-len("Operations")] if name.endswith("Operations") else name
        value = getattr(pycutlet, own, None)
        assert value is not None or name in ("_Value", "_Drawn", "_Function", "_Operation"), name
        for member in ast.walk(node) if value is not None else ():
            if isinstance(member, ast.FunctionDef) and member.name[:2] != "__":
                assert hasattr(value, member.name), (name, member.name)
    for name in ("Layout", "Tensor", "Swizzle", "CopyAtom", "TiledCopy", "MMAAtom", "TiledMMA"):
        hinted = {member.name for one in (name, f"_{name}Operations", "_Value", "_Drawn", "_Function")
                  for member in classes[one].body if isinstance(member, ast.FunctionDef)}
        missing = [member for member in vars(getattr(pycutlet, name)) if member[0] != "_" and member not in hinted]
        assert not missing, (name, missing)
