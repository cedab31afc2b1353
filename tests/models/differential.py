#!/usr/bin/env python3
"""differential.py PLUMB [FIRST COUNT] - plumb verify against oracle.py.

For models at random (random_models.py, by seed): the numbers of states and
transitions, and the verdicts of all assertions, by every engine, reduction and
number of threads, have to be the oracle's.  The same of models whose processes
differ in their number, with symmetry: then there are no more states than
without, and no fewer than there can be.
"""
import json
import os
import subprocess
import sys
import tempfile

import equivalence
import oracle
import random_models

MOST = 800  # states of a model that is worth it
FEW = 60    # states of two graphs that are compared pair by pair
WAYS = [['--no-por', '--count', 'pat3'],
        ['--engine', 'product', '--no-por'],
        ['--engine', 'product', '--por', 'dynamic', '-j', '2', '--search',
         'depth'],
        ['--engine', 'antichain', '--por', 'local'],
        ['--engine', 'bisimilar', '--no-por', '-j', '2', '--search', 'depth'],
        ['--engine', 'bisimilar', '--por', 'dynamic'],
        ['--engine', 'auto', '--por', 'local'],
        ['--symmetry', 'on', '--engine', 'auto', '--por', 'local']]
SYMMETRIC = [['--symmetry', 'on', '--no-por'],
             ['--symmetry', 'on', '--engine', 'product'],
             ['--symmetry', 'on', '--engine', 'product', '--no-por'],
             ['--symmetry', 'on', '--engine', 'antichain', '--por', 'dynamic'],
             ['--symmetry', 'on', '--engine', 'bisimilar', '-j', '2']]
# Where nothing is left out.
COUNTING = {'states': [WAYS[0]], 'transitions': [WAYS[0]], 'pairs': [WAYS[1]]}


class Wanted:
    """What an answer has to be: fields of the JSON; None is anything."""

    def __init__(self, verdict, **counts):
        self.verdict, self.counts, self.pairs = verdict, counts, None


def explore(model, term, graphs):
    """The graph, or None if the model goes wrong on the way."""
    if term not in graphs:
        try:
            graphs[term] = model.graph(term, MOST)
        except oracle.Wrong:
            graphs[term] = None
    return graphs[term]


def renamed(g):
    """With events as they are written."""
    return [[({'tick': 'terminate'}.get(label, label).replace(
        '!.', '!').replace('?.', '?'), to) for label, to in own]
            for own in g.edges]


def wanted_equal(g, h):
    """Whether they are bisimilar; what is too large may still differ."""
    if not g or not h:
        return Wanted(None)
    if g.count + h.count <= FEW:
        pairs = equivalence.Pairs(renamed(g), renamed(h))
        want = Wanted('holds' if pairs.equal() else 'violated')
        want.pairs = pairs
        return want
    same = oracle.refines(g, h, '<FD>') and oracle.refines(h, g, '<FD>')
    return Wanted(None if same else 'violated')


def wanted(model, assertion, graphs):
    term, kind, other = assertion
    g = explore(model, term, graphs)
    counts = {}
    if kind == '=':
        return wanted_equal(g, explore(model, other, graphs))
    if kind.startswith('refines'):
        h, pairs = explore(model, other, graphs), []
        if not g or not h:
            return Wanted(None)
        holds = oracle.refines(g, h, kind[7:], pairs)
        if kind == 'refines' and holds:
            counts['pairs'] = pairs[0]
    elif not g:
        # Only who looks at all states is sure to come there.
        never = kind == 'reaches' and other[0] == '==' and \
            other[2] == ('n', 77)
        return Wanted('error' if never else None)
    elif kind == 'reaches':
        try:
            holds = any(oracle.evaluate(other, model.environment(s[0]))
                        for s in g.states)
        except oracle.Wrong:  # of a state that the search may not come to
            return Wanted(None)
        if not holds:
            counts = {'states': g.count, 'transitions': g.transitions}
    else:
        holds = getattr(g, kind)()
        if kind == 'divergencefree' and holds:
            counts = {'all': g.count}
    return Wanted('holds' if holds else 'violated', **counts)


def expected(text):
    """Of each assertion what is wanted; None: too large."""
    model, graphs = oracle.Model(text), {}
    try:
        return [wanted(model, a, graphs) for a in model.assertions]
    except (oracle.Unbounded, RecursionError):
        return None


def answers(plumb, file, way):
    try:
        done = subprocess.run([plumb, 'verify', '--json', '-t', '200'] + way +
                              [file], capture_output=True, text=True,
                              timeout=400, check=False)
    except subprocess.TimeoutExpired:
        return [], 'it does not end'
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return lines, done.stderr


def too_few(got, want):
    """States that stand for more than there are ways to rename them."""
    whole = want.counts.get('all')
    return 'symmetry' in got and whole and (
        got['states'] > whole or got['states'] * got['symmetry'] < whole)


def ways_of(seed, symmetric):
    """Counts, and two of the other ways in turn."""
    if symmetric:
        turn = seed % (len(SYMMETRIC) - 1)
        return [SYMMETRIC[0], SYMMETRIC[1 + turn]]
    turn = seed % (len(WAYS) - 1)
    return [WAYS[0], WAYS[1 + turn], WAYS[1 + (turn + 2) % (len(WAYS) - 1)]]


def compare(plumb, file, wants, ways, used):
    """Complaints about a model."""
    for way in ways:
        lines, said = answers(plumb, file, way)
        if len(lines) != len(wants):
            yield '%s: %d answers; %s' % (' '.join(way), len(lines), said)
            continue
        for got, want in zip(lines, wants):
            what = '%s %s' % (' '.join(way), got['assertion'])
            if want.verdict and got['verdict'] != want.verdict:
                yield '%s: %s, the oracle says %s %s' % (
                    what, got['verdict'], want.verdict, got.get('reason', ''))
                continue
            used.append('symmetry' in got)
            if want.pairs and equivalence.fits(got, want.pairs):
                yield '%s: %s' % (what, equivalence.fits(got, want.pairs))
            if way == SYMMETRIC[0] and too_few(got, want):
                yield '%s: %d states of %d by %d renamings' % (
                    what, got['states'], want.counts['all'], got['symmetry'])
            for field, count in want.counts.items():
                if way in COUNTING.get(field, []) and got[field] != count:
                    yield '%s: %s %s, the oracle says %s' % (
                        what, got[field], field, count)


def check(plumb, seed, symmetric, tally):
    text = (random_models.clients if symmetric else random_models.model)(seed)
    wants, used = expected(text), []
    if wants is None:
        tally['large'] += 1
        return
    with tempfile.NamedTemporaryFile('w', suffix='.csp') as file:
        file.write(text)
        file.flush()
        complaints = list(compare(plumb, file.name, wants,
                                  ways_of(seed, symmetric), used))
    for complaint in complaints if os.environ.get('VERBOSE') else \
            complaints[:1]:
        print('seed %d%s: %s' % (seed, ' clients' * symmetric, complaint))
    tally['differ' if complaints else 'agreed'] += 1
    tally['held'] += sum(want.verdict == 'holds' for want in wants)
    tally['wrong'] += any(want.verdict == 'error' for want in wants)
    tally['symmetric'] += sum(used)


def main():
    plumb = sys.argv[1]
    first, count = (int(a) for a in sys.argv[2:4]) if len(sys.argv) > 3 else \
        (1, 150)
    kinds = [sys.argv[4] == 'clients'] if len(sys.argv) > 4 else [False, True]
    tally = dict.fromkeys(['agreed', 'large', 'wrong', 'differ', 'held',
                           'symmetric'], 0)
    for seed in range(first, first + count):
        for symmetric in kinds:
            check(plumb, seed, symmetric, tally)
    print('%(agreed)d models agree (%(held)d assertions hold, %(wrong)d '
          'models go wrong, %(symmetric)d answers by symmetry), %(differ)d '
          'differ, %(large)d too large' % tally)
    return 1 if tally['differ'] or not tally['agreed'] else 0


if __name__ == '__main__':
    sys.exit(main())
