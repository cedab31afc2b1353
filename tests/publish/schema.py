"""schema.py - results against docs/results.schema.json, strictly.

A reader ignores members that it does not know, so the schema allows them.  Here
they are mistakes: whatever the program writes has to be described.
"""
import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]


def strict(schema):
    """The same schema without members that it does not describe."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for key, part in schema.items():
        if key in ("properties", "$defs"):
            made[key] = {name: strict(value) for name, value in part.items()}
        else:
            made[key] = strict(part)
    if "properties" in made:
        made["additionalProperties"] = False
    return made


def validator():
    text = (ROOT / "docs/results.schema.json").read_text()
    schema = strict(json.loads(text))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def mistakes(check, line, where):
    """What is wrong with a line, in words."""
    try:
        result = json.loads(line)
    except ValueError as error:
        return [f"{where}: {error}"]
    return [f"{where}: {'/'.join(map(str, e.absolute_path))}: {e.message[:300]}"
            for e in check.iter_errors(result)]


def golden_lines():
    for path in sorted((ROOT / "tests/golden").glob("*.expected")):
        lines = path.read_text(errors="replace").split("\n")
        for number, line in enumerate(lines, 1):
            # some cases cut lines, or have N for numbers that vary
            if line.startswith('{"format":') and line.endswith("}"):
                line = re.sub(r":N([,}])", r":0\1", line)
                yield line, f"{path.name}:{number}"


def main():
    check = validator()
    wrong, count = [], 0
    for line, where in golden_lines():
        wrong += mistakes(check, line, where)
        count += 1
    # a check that finds nothing wrong with anything checks nothing
    bad = '{"format":2,"command":"check","subject":"x","verdict":"y"}'
    unknown = bad[:-1] + ',"status":"pass","unknown":1}'
    if not mistakes(check, bad, "") or not mistakes(check, unknown, ""):
        wrong.append("a wrong result was accepted")
    print(f"{count} results")
    print("\n".join(wrong))
    return 1 if wrong or count < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
