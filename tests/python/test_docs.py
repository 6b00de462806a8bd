"""Every snippet of docs/python.md does what stands there."""

import doctest
import os
import re
import textwrap

import pytest

SOURCE = os.environ.get("CUTLET_SOURCE", os.path.join(os.path.dirname(__file__), "../.."))


def test_snippets(tmp_path, monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    with open(os.path.join(SOURCE, "docs/python.md"), encoding="utf-8") as file:
        text = file.read().replace("\n```\n", "\n\n")  # a fence ends what is expected
    test = doctest.DocTestParser().get_doctest(text, {}, "docs/python.md", "docs/python.md", 0)
    assert len(test.examples) > 50
    said = []
    runner = doctest.DocTestRunner()
    runner.run(test, out=said.append)
    assert not runner.failures, "".join(said)
    assert (tmp_path / "rows.svg").read_text().startswith("<svg")


def test_example_of_processes():
    """The parts of examples/redistribute.py that the page shows are its own."""
    with open(os.path.join(SOURCE, "docs/python.md"), encoding="utf-8") as file:
        page = file.read()
    with open(os.path.join(SOURCE, "examples/redistribute.py"), encoding="utf-8") as file:
        parts = re.findall(r"^ *# part: \w+\n(.*?)^ *# end$", file.read(), re.S | re.M)
    assert len(parts) == 2
    for part in parts:
        assert "```python\n" + textwrap.dedent(part).rstrip() + "\n```\n" in page


def test_docstring():
    import pycutlet
    failed, tried = doctest.testmod(pycutlet)
    assert tried >= 2 and not failed


def test_readme():
    """What an index shows: its snippets, and no link that leads nowhere there."""
    with open(os.path.join(SOURCE, "python/README.md"), encoding="utf-8") as file:
        text = file.read()
    assert not re.findall(r"\]\((?!https://)", text)
    test = doctest.DocTestParser().get_doctest(text.replace("\n```\n", "\n\n"), {}, "README.md", "README.md", 0)
    assert len(test.examples) > 5
    assert not doctest.DocTestRunner().run(test).failed
