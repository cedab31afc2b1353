#!/usr/bin/env python3
"""roundup.py [-r] [BUILD [ROW...]] - Tables II, III and V of Round-Up, with ours.

A row of bench/roundup-tables.txt (1 to 55) is run three times: as printed, as
printed without the optimisations of section VI-C, and by default.  It is
measured once and kept in BUILD/roundup; -r measures again.  Without ROW all
that are missing are, then the tables are printed, and Figures 8 and 9 are drawn
as BUILD/roundup-8.svg and BUILD/roundup-9.svg.

Times are of the processor, in milliseconds, as --verbose tells them: starting
and compiling are not in them.  The paper's are seconds.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FIELDS = (
    "table name object flags options spec k preemptions calls init test final "
    "violation serial serial_time wrong histories explored time"
).split()
SECONDS = "600"
SIZE, LEFT, TOP = 300, 70, 40


def read_rows():
    rows = []
    with open(os.path.join(HERE, "roundup-tables.txt"), encoding="ascii") as f:
        for line in f:
            if not line.startswith("#"):
                rows.append(dict(zip(FIELDS, line.rstrip("\n").split(";"))))
    return rows


def removals(row):
    """How many operations are permuted."""
    ops = re.findall(r"\b(deq|pop|delmin)\(", row["init"] + row["test"] + row["final"])
    return len(ops)


def permutations(d, k):
    """Of d things, none moved by more than k: a set of places a row."""
    ways = {0: 1}
    for i in range(d):
        following = {}
        for used, count in ways.items():
            for place in range(max(0, i - k), min(d, i + k + 1)):
                if not used >> place & 1:
                    to = used | 1 << place
                    following[to] = following.get(to, 0) + count
        ways = following
    return sum(ways.values())


def explore(plumb, row, more):
    command = [plumb, "explore", row["object"], "--preemptions", row["preemptions"]]
    for part in "init", "test", "final":
        if row[part]:
            command += ["--" + part, row[part]]
    command += row["options"].split() + ["--json", "--verbose", "--no-minimise"]
    command += ["--timeout", SECONDS] + more
    if row["flags"]:
        command += ["--"] + row["flags"].split()
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if not run.stdout.startswith("{"):
        sys.exit(f"{' '.join(command)}: {run.stderr}")
    return json.loads(run.stdout.splitlines()[0]), run.stderr


def number_before(text, pattern):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else None


def printed(plumb, row, more):
    said, notes = explore(
        plumb, row, ["--algorithm", "round-up", "--quasi", row["k"]] + more
    )
    return {
        "status": said["status"],
        "accepted": said.get("accepted_by_default", False),
        "phase1": number_before(notes, r"phase 1: ([0-9.]+) ms"),
        "phase2": number_before(notes, r"phase 2: ([0-9.]+) ms"),
        **said["round_up"],
    }


def measure(plumb, row):
    said, notes = explore(plumb, row, ["--spec", row["spec"]])
    return {
        "printed": printed(plumb, row, []),
        "plain": printed(plumb, row, ["--duplicates", "all"]),
        "default": {
            "status": said["status"],
            "time": number_before(notes, r"schedules in ([0-9.]+) ms"),
        },
    }


def measured(build, rows, wanted, again):
    """What is kept, and what is missing of `wanted`, measured now."""
    kept = os.path.join(build, "roundup")
    plumb = os.path.join(build, "plumb")
    os.makedirs(kept, exist_ok=True)
    results = {}
    for number, row in enumerate(rows, 1):
        name = os.path.join(kept, f"{number}.json")
        if number in wanted and (again or not os.path.exists(name)):
            with open(name + ".new", "w", encoding="ascii") as f:
                json.dump(measure(plumb, row), f)
            os.rename(name + ".new", name)
        if os.path.exists(name):
            with open(name, encoding="ascii") as f:
                results[number] = json.load(f)
    return results


def say(status):
    return {"violation": "YES", "pass": "NO"}.get(status, "undecided")


def print_table(which, rows, results):
    what = "sequentializations" if which == "II" else "permutations"
    print(f"\n### Table {which}\n")
    print(f"| class | calls | | violation | phase 1 | time | wrong/all | {what} | time | default |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for number, row in enumerate(rows, 1):
        if row["table"] != which or number not in results:
            continue
        ours, plain = results[number]["printed"], results[number]["plain"]
        default = results[number]["default"]
        print(
            f"| {row['name']} | {row['calls']} | paper | {row['violation']} "
            f"| {row['serial']} | {row['serial_time']} s "
            f"| {row['wrong']}/{row['histories']} | {row['explored']} "
            f"| {row['time']} s | |"
        )
        print(
            f"| `{row['object']}` {row['flags']} | | ours | {say(ours['status'])} "
            f"| {ours['serial']} | {ours['phase1']:.2f} ms "
            f"| {ours['wrong']}/{ours['histories']} | {ours[what]} "
            f"| {ours['phase2']:.0f} ms "
            f"| {say(default['status'])}, {default['time']:.0f} ms |"
        )


def check(rows, results):
    """What has to hold of every row."""
    for number, row in enumerate(rows, 1):
        if number not in results:
            continue
        result = results[number]
        many = permutations(removals(row), int(row["k"]))
        for way in "printed", "plain":
            r = result[way]
            expanded = r["sequentializations"] - r["sequentializations_again"]
            if r["permutations"] != expanded * many:
                print(f"row {number}: not {many} permutations of each ({way})")
            if say(r["status"]) != row["violation"]:
                print(f"row {number}: {way} says {say(r['status'])}")
        if str(result["printed"]["serial"]) != row["serial"]:
            print(f"row {number}: {result['printed']['serial']} serial histories")
        if say(result["default"]["status"]) != row["violation"]:
            print(f"row {number}: by default {say(result['default']['status'])}")


# ---- Figures 8 and 9


def scatter(name, title, points):
    """Without the optimisations to the right, with them upwards."""
    low = math.floor(math.log10(min(min(p) for p in points)))
    high = math.ceil(math.log10(max(max(p) for p in points)))
    scale = SIZE / (high - low)

    def at(x, y):
        return (
            LEFT + (math.log10(x) - low) * scale,
            TOP + SIZE - (math.log10(y) - low) * scale,
        )

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + SIZE + 30}" '
        f'height="{TOP + SIZE + 60}" font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT}" y="20">{title}</text>',
        f'<rect x="{LEFT}" y="{TOP}" width="{SIZE}" height="{SIZE}" fill="none" stroke="black"/>',
        f'<line x1="{LEFT}" y1="{TOP + SIZE}" x2="{LEFT + SIZE}" y2="{TOP}" stroke="red"/>',
    ]
    for power in range(low, high + 1):
        x, y = at(10**power, 10**power)
        out.append(f'<text x="{x:.0f}" y="{TOP + SIZE + 16}" text-anchor="middle">10^{power}</text>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.0f}" text-anchor="end">10^{power}</text>')
    for point in points:
        x, y = at(*point)
        out.append(
            f'<path d="M{x - 4:.1f} {y:.1f}h8M{x:.1f} {y - 4:.1f}v8" stroke="blue"/>'
        )
    out.append(
        f'<text x="{LEFT + SIZE / 2}" y="{TOP + SIZE + 40}" text-anchor="middle">'
        "without optimisations</text>"
    )
    out.append(
        f'<text transform="translate(16 {TOP + SIZE / 2}) rotate(-90)" '
        'text-anchor="middle">with optimisations</text>'
    )
    out.append("</svg>")
    with open(name, "w", encoding="ascii") as f:
        f.write("\n".join(out) + "\n")


def draw(build, rows, results):
    pairs = [
        (results[n]["plain"], results[n]["printed"])
        for n, row in enumerate(rows, 1)
        if row["table"] == "V" and n in results
    ]
    if not pairs:
        return
    scatter(
        os.path.join(build, "roundup-8.svg"),
        "Permutations",
        [(a["permutations"], b["permutations"]) for a, b in pairs],
    )
    scatter(
        os.path.join(build, "roundup-9.svg"),
        "Milliseconds",
        [(a["phase2"], b["phase2"]) for a, b in pairs],
    )


def main():
    args = sys.argv[1:]
    again = args[:1] == ["-r"]
    args = args[again:]
    build = os.path.abspath(args[0] if args else "build")
    rows = read_rows()
    wanted = {int(a) for a in args[1:]} or set(range(1, len(rows) + 1))
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)  # where schedules are written
        results = measured(build, rows, wanted, again)
        if len(args) < 2:
            for which in "II", "III", "V":
                print_table(which, rows, results)
        check(rows, results)
        draw(build, rows, results)
        os.chdir("/")


if __name__ == "__main__":
    main()
