#!/usr/bin/env python3
"""differential.py PLUMB [FIRST COUNT] - plumb verify against oracle.py.

For models at random (random_models.py, by seed): the numbers of states and
transitions, and the verdicts of all assertions, by every engine, reduction and
number of threads, have to be the oracle's.
"""
import json
import os
import subprocess
import sys
import tempfile

import oracle
import random_models

MOST = 800  # states of a model that is worth it
WAYS = [['--no-por', '--count', 'pat3'],
        ['--engine', 'product', '--no-por'],
        ['--engine', 'product', '--por', 'dynamic', '-j', '2'],
        ['--engine', 'antichain', '--por', 'local'],
        ['--engine', 'bisimilar', '--no-por', '-j', '2'],
        ['--engine', 'bisimilar', '--por', 'dynamic'],
        ['--engine', 'auto', '--por', 'local']]


def expected(text):
    """Of each assertion: verdict, states, transitions; None: too large.  A
    model that goes wrong is expected to be refused."""
    try:
        model = oracle.Model(text)
        graphs, out = {}, []
        for term, kind, other in model.assertions:
            for t in (term, other) if kind.startswith('refines') else (term,):
                if t not in graphs:
                    graphs[t] = model.graph(t, MOST)
            g = graphs[term]
            if kind.startswith('refines'):
                holds = oracle.refines(g, graphs[other], kind[7:])
            else:
                holds = model.decide(term, kind, other, MOST)
            full = kind == 'reaches' and not holds
            out.append(('holds' if holds else 'violated',
                        g.count if full else None,
                        g.transitions if full else None))
        return out
    except (oracle.Unbounded, RecursionError):
        return None
    except oracle.Wrong as wrong:
        return str(wrong)


def answers(plumb, file, way):
    try:
        done = subprocess.run([plumb, 'verify', '--json', '-t', '20'] + way +
                              [file], capture_output=True, text=True,
                              timeout=40, check=False)
    except subprocess.TimeoutExpired:
        return [], 'it does not end'
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return lines, done.stderr


def compare(plumb, file, want, seed):
    """Complaints about a model: counts, and two of the other ways in turn."""
    turn = seed % (len(WAYS) - 1)
    for way in [WAYS[0], WAYS[1 + turn], WAYS[1 + (turn + 2) % 6]]:
        lines, said = answers(plumb, file, way)
        if len(lines) != len(want):
            yield '%s: %d answers; %s' % (' '.join(way), len(lines), said)
            continue
        for got, (verdict, states, transitions) in zip(lines, want):
            what = '%s %s' % (' '.join(way), got['assertion'])
            if got['verdict'] != verdict:
                yield '%s: %s, the oracle says %s %s' % (
                    what, got['verdict'], verdict, got.get('reason', ''))
            elif way is WAYS[0] and states is not None and (
                    got['states'], got['transitions']) != (states,
                                                           transitions):
                yield '%s: %s states, %s transitions; the oracle %s, %s' % (
                    what, got['states'], got['transitions'], states,
                    transitions)


def main():
    plumb = sys.argv[1]
    first, count = (int(a) for a in sys.argv[2:4]) if len(sys.argv) > 3 else \
        (1, 150)
    agreed = large = wrong = differ = held = 0
    for seed in range(first, first + count):
        text = random_models.model(seed)
        want = expected(text)
        if not isinstance(want, list):
            large += want is None
            wrong += want is not None
            if want is not None and os.environ.get('VERBOSE'):
                print('seed %d: the oracle refuses: %s' % (seed, want))
            continue
        with tempfile.NamedTemporaryFile('w', suffix='.csp') as file:
            file.write(text)
            file.flush()
            complaints = list(compare(plumb, file.name, want, seed))
        for complaint in complaints if os.environ.get('VERBOSE') else \
                complaints[:1]:
            print('seed %d: %s' % (seed, complaint))
        differ += bool(complaints)
        agreed += not complaints
        held += sum(verdict == 'holds' for verdict, _, _ in want)
    print('%d models agree (%d assertions hold), %d differ, %d too large, '
          '%d refused' % (agreed, held, differ, large, wrong))
    return 1 if differ or not agreed else 0


if __name__ == '__main__':
    sys.exit(main())
