#!/usr/bin/env python3
"""plot.py DATA PICTURE - draw what bench/paper.sh measured, as SVG.

A line of DATA is

    HOW NAME THREADS OPERATIONS OPEN DECIDED VERIFIED SEARCH VERDICT

with times in seconds and SEARCH - where there is none.  Every HOW NAME gets a
small chart with the same logarithmic axes: the monitor as lines, the search
dashed up to a cross where it gave up, a colour for each number of threads.
"""

import math
import sys

COLUMNS = 5
WIDTH, HEIGHT = 176, 150  # of a chart
LEFT, TOP, RIGHT, BOTTOM = 62, 62, 14, 74  # around all of them
GAP_X, GAP_Y = 20, 40
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000"]
HEADINGS = {
    "recorded": "recorded from objects of the library",
    "made": "made up: two of three threads are inside an operation at any time",
}


def read(name):
    """Charts in the order of the file: (how, name) -> threads -> rows."""
    charts = {}
    with open(name, encoding="ascii") as lines:
        for line in lines:
            how, title, threads, count, _, decided, verified, search, _ = (
                line.split()
            )
            answered = float(decided) + float(verified)
            searched = None if search == "-" else float(search)
            chart = charts.setdefault((how, title), {})
            rows = chart.setdefault(int(threads), [])
            rows.append((int(count), answered, searched))
    return charts


class Axis:
    """Powers of ten, from one that is below all values to one above."""

    def __init__(self, values, origin, length):
        self.low = math.floor(math.log10(min(values)) + 0.05)
        highest = math.ceil(math.log10(max(values)) - 0.05)
        self.high = max(highest, self.low + 1)
        self.origin, self.length = origin, length

    def place(self, value):
        part = (math.log10(value) - self.low) / (self.high - self.low)
        return self.origin + part * self.length

    def ticks(self):
        return range(self.low, self.high + 1)


def seconds(power):
    unit, base = [("s", 0), ("ms", -3), ("µs", -6)][
        0 if power >= 0 else 1 if power >= -3 else 2
    ]
    return f"{10 ** (power - base):g} {unit}"


def text(x, y, what, anchor="middle", size=11, more=""):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
        f'font-size="{size}"{more}>{what}</text>'
    )


def segment(x1, y1, x2, y2, colour, more=""):
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{colour}"{more}/>'
    )


def line(points, colour, dashed):
    dash = ' stroke-dasharray="4 3"' if dashed else ""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    drawn = (
        f'<polyline points="{path}" fill="none" stroke="{colour}" '
        f'stroke-width="1.4"{dash}/>'
    )
    fill = "white" if dashed else colour
    drawn += f'<g fill="{fill}" stroke="{colour}">'
    for x, y in points:
        drawn += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.9"/>'
    return drawn + "</g>"


def cross(x, y, colour):
    bold = ' stroke-width="1.8"'
    return segment(x - 4, y - 4, x + 4, y + 4, colour, bold) + segment(
        x - 4, y + 4, x + 4, y - 4, colour, bold
    )


def frame(title, x_axis, y_axis, first):
    """Grid and labels; times are told at the first chart of a row."""
    out = []
    right = x_axis.origin + x_axis.length
    top = y_axis.origin + y_axis.length
    for power in x_axis.ticks():
        x = x_axis.place(10**power)
        out.append(segment(x, y_axis.origin, x, top, "#ddd"))
        label = f'10<tspan dy="-4" font-size="7">{power}</tspan>'
        out.append(text(x, y_axis.origin + 14, label, size=10))
    for power in y_axis.ticks():
        y = y_axis.place(10**power)
        out.append(segment(x_axis.origin, y, right, y, "#ddd"))
        if first:
            out.append(
                text(x_axis.origin - 6, y + 4, seconds(power), "end", 10)
            )
    middle = (x_axis.origin + right) / 2
    bold = ' font-weight="bold"'
    out.append(text(middle, top - 6, title, size=12, more=bold))
    return out


def monitored(rows, colour, x_axis, y_axis):
    points = [(x_axis.place(n), y_axis.place(t)) for n, t, _ in rows]
    return line(points, colour, False)


def searched(rows, colour, x_axis, y_axis):
    points, given_up = [], ""
    for count, _, time in rows:
        x = x_axis.place(count)
        if time is None:
            top = y_axis.origin + y_axis.length
            given_up = cross(x, top, colour)
            if points:
                dash = ' stroke-dasharray="1 3"'
                given_up += segment(*points[-1], x, top, colour, dash)
            break
        points.append((x, y_axis.place(time)))
    return (line(points, colour, True) if points else "") + given_up


def lines(chart, colours, x_axis, y_axis):
    axes = (x_axis, y_axis)
    drawn = [searched(r, colours[t], *axes) for t, r in chart.items()]
    return drawn + [monitored(r, colours[t], *axes) for t, r in chart.items()]


def legend(colours, y):
    out, x = [], LEFT
    for name, dashed in (("monitor", False), ("search", True)):
        for threads, colour in colours.items():
            out.append(line([(x, y - 4), (x + 26, y - 4)], colour, dashed))
            out.append(text(x + 34, y, f"{name}, {threads} threads", "start"))
            x += 158
    return out


def picture(charts):
    colours = {}
    for chart in charts.values():
        for threads in chart:
            colours.setdefault(threads, COLOURS[len(colours) % len(COLOURS)])
    rows = [
        row for c in charts.values() for series in c.values() for row in series
    ]
    counts = [row[0] for row in rows]
    times = [t for row in rows for t in row[1:] if t is not None]
    out, y, how, column = [], TOP, None, COLUMNS
    for (kind, title), chart in charts.items():
        if how is not None and (kind != how or column == COLUMNS):
            y += HEIGHT + GAP_Y
        if kind != how:
            y += 0 if how is None else 24
            heading = HEADINGS.get(kind, kind)
            out.append(text(LEFT, y - 28, heading, "start", 13))
        if kind != how or column == COLUMNS:
            column = 0
        how = kind
        x = LEFT + column * (WIDTH + GAP_X)
        x_axis = Axis(counts, x, WIDTH)
        y_axis = Axis(times, y + HEIGHT, -HEIGHT)
        out += frame(title, x_axis, y_axis, column == 0)
        out += lines(chart, colours, x_axis, y_axis)
        column += 1
    width = LEFT + COLUMNS * WIDTH + (COLUMNS - 1) * GAP_X + RIGHT
    bottom = y + HEIGHT
    note = (
        "operations (across) and processor time to decide and verify, "
        "without reading; a cross: the search gave up"
    )
    out.append(text(LEFT, bottom + 38, note, "start"))
    out += legend(colours, bottom + 60)
    height = bottom + BOTTOM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif">\n'
        '<rect width="100%" height="100%" fill="white"/>\n'
        + "\n".join(out)
        + "\n</svg>\n"
    )


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: plot.py DATA PICTURE")
    charts = read(sys.argv[1])
    if not charts:
        sys.exit(f"plot.py: {sys.argv[1]} is empty")
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write(picture(charts))


main()
