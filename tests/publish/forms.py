"""forms.py PLUMB [full] - JSON, JUnit, SARIF and annotations of every kind of result.

Each must be well-formed and valid, and agree with the exit status and with each
other, whatever the names in a history are.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import hostile
import schema  # skips this test, too, where there is no jsonschema

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
SARIF = ROOT.parent / "shared/data/sarif/sarif-schema-2.1.0.json"
PLUMB = os.path.realpath(sys.argv[1])
FULL = "full" in sys.argv[2:]
EXIT = {"pass": 0, "violation": 1, "error": 2, "undecided": 3}
RANK = ["pass", "undecided", "violation", "error"]

wrong = []


def complain(case, message):
    wrong.append(f"{' '.join(case)}: {message}")


def run(case, *more):
    return subprocess.run([PLUMB, *case, *more], capture_output=True,
                          check=False)


def check_json(case, done, check):
    """The results; the exit status is that of the worst."""
    lines = done.stdout.decode().splitlines()
    for number, line in enumerate(lines, 1):
        wrong.extend(schema.mistakes(check, line, f"{case}:{number}"))
    results = [r for r in map(json.loads, lines) if "status" in r]
    if results:
        worst = max((r["status"] for r in results), key=RANK.index)
        if EXIT[worst] != done.returncode:
            complain(case, f"{worst}, but exit {done.returncode}")
    return results


def check_junit(case, results):
    root = xml.parse("out.xml").getroot()
    cases = root.findall("testsuite/testcase")
    states = [r["status"] for r in results]
    found = ["violation" if c.find("failure") is not None else
             "other" if c.find("error") is not None else "pass" for c in cases]
    expected = [s if s in ("violation", "pass") else "other" for s in states]
    if found != expected:
        complain(case, f"JUnit has {found}, JSON has {states}")
    for suite in root.findall("testsuite"):
        if int(suite.get("failures")) != found.count("violation") or \
                int(suite.get("errors")) != found.count("other") or \
                int(suite.get("tests")) != len(found):
            complain(case, "the sums of JUnit are wrong")


def check_flows(case, result):
    """Steps are numbered across threads, and in order within one."""
    for flow in result.get("codeFlows", []):
        seen = set()
        names = [t["id"] for t in flow["threadFlows"]]
        if len(set(names)) != len(names):
            complain(case, "a thread has two flows")
        for thread in flow["threadFlows"]:
            order = [l["executionOrder"] for l in thread["locations"]]
            if order != sorted(order) or seen & set(order):
                complain(case, "steps are out of order")
            seen |= set(order)


def check_sarif(case, results, sarif):
    with open("out.sarif", encoding="utf-8") as file:
        log = json.load(file)
    if sarif:
        for error in sarif.iter_errors(log):
            complain(case, f"SARIF: {error.message[:200]}")
    kinds = {"pass": "pass", "violation": "fail", "undecided": "open"}
    expected = [kinds[r["status"]] for r in results if r["status"] in kinds]
    found = [r["kind"] for r in log["runs"][0]["results"]]
    if found != expected:
        complain(case, f"SARIF has {found}, JSON {expected}")
    for result in log["runs"][0]["results"]:
        if result["kind"] == "fail" and not result.get("codeFlows") and \
                "crashed" not in result["ruleId"] and \
                result["properties"]["command"] != "monitor":
            complain(case, "a violation without a flow")
        check_flows(case, result)


def check_annotations(case, results, text):
    lines = [l for l in text.splitlines() if l.startswith("::")]
    expected = ["warning" if r["status"] == "undecided" else "error"
                for r in results if r["status"] != "pass"]
    if [l[2:].split(" ")[0] for l in lines] != expected:
        complain(case, f"annotations are {lines}")


def check_case(case, check, sarif):
    done = run(case, "--json", "--junit", "out.xml", "--sarif", "out.sarif",
               "--annotations", "github")
    results = check_json(case, done, check)
    check_junit(case, results or [{"status": "error"}])
    check_sarif(case, results, sarif)
    if results:
        check_annotations(case, results, done.stderr.decode())
    again = run(case, "--junit", "out.xml")
    if again.returncode != 2 or b"not overwritten" not in again.stderr:
        complain(case, "a file was overwritten")
    os.unlink("out.xml")
    os.unlink("out.sarif")
    return results


CASES = [
    ["check", "queue-linearizable.hist", "queue-not-linearizable.hist"],
    ["check", "--verbose", "queue-linearizable.hist"],
    ["check", "--verbose", "timed.jsonl"],
    ["check", "--verbose", "--spec", "queue", "violations.hist"],
    ["check", "--spec", "queue", "malformed.hist"],
    ["check", "--spec", "queue", "no-such-file"],
    ["check", "--algorithm", "search", "--no-core", "--spec", "queue",
     "violations.hist"],
    ["check", "register-stale-read.hist", "max-register.hist"],
    ["monitor", "--spec", "queue", "queue-not-linearizable.hist"],
    ["monitor", "--spec", "queue", "queue-linearizable.hist"],
    ["simulate", "-c", "queue-reread", "-d", "--histories", "5", "-p", "1"],
    ["simulate", "-i", "violations.hist", "-s", "queue"],
    ["verify", "wrong-name.csp"],
    ["verify", "philosophers.csp"],
    ["verify", "--verbose", "light.csp"],
    ["verify", "stack"],
    ["explore", "queue-reread"],
    ["explore", "treiber", "--test", "push(1) | pop()"],
    ["explore", "no-such-object"],
    ["explore", "transfer.c"],
]


def main():
    check = schema.validator()
    sarif = None
    if SARIF.exists():
        text = json.loads(SARIF.read_text())
        sarif = jsonschema.validators.validator_for(text)(text)
    with tempfile.TemporaryDirectory() as work:
        for file in [*(ROOT / "examples").glob("*.[hc]*"),
                     *(ROOT / "tests/golden/files").iterdir()]:
            shutil.copy(file, work)
        os.chdir(work)
        seen = set()
        for case in CASES:
            seen |= {r["status"] for r in check_case(case, check, sarif)}
        for schedule in sorted(pathlib.Path(".plumb").glob("*.schedule"))[:2]:
            check_case(["replay", str(schedule)], check, sarif)
        for _, write, path, few in hostile.KINDS:
            for name in hostile.names(200 if FULL else few // 3):
                check_case(write(path, name), check, sarif)
    if seen < {"pass", "violation", "error"}:
        wrong.append(f"only {seen} was seen")
    print("\n".join(wrong[:40]) if wrong else f"{len(CASES)} cases")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
