#!/usr/bin/env python3
"""equivalence.py PLUMB [FIRST COUNT] - P() = Q() by brute force.

Pairs of small graphs at random, by seed, often nearly the same; each state is
a process.  They are divergence-sensitive branching bisimilar if the largest
relation that is left when pairs are crossed out relates their initial states.
A formula that tells them apart is read again and decided state by state.
Where they are equal, each has to refine the other, with failures and
divergences, too.
"""
import collections
import json
import random
import re
import subprocess
import sys
import tempfile

TOGETHER = 25  # pairs in one model


# ---- graphs: a list of (event, target) for each state ----

def random_graph(r):
    states = r.randint(2, 7)
    events = ['tau', 'tau', 'a', 'b', 'c'][:r.choice([3, 4, 4, 5])]
    density = r.choice([2, 2, 3, 4])
    back = r.random()  # few steps lead back, or many
    g = [[(r.choice(events), r.randrange(states) if s + 1 == states or
           r.random() < back else r.randrange(s + 1, states))
          for _ in range(r.randint(0, density))] for s in range(states)]
    if r.random() < .15:
        g[r.randrange(states)].append(('terminate', None))
    return g


def spread_out(r, g):
    """The same, with hidden steps that make no difference, and doubles."""
    g = [list(own) for own in g]
    for _ in range(r.randint(0, 3)):
        s = r.randrange(len(g))
        choice = r.random()
        if choice < .4:  # a step of its own before the others
            g.append(g[s])
            g[s] = [('tau', len(g) - 1)]
        elif choice < .8:  # the same state twice
            g.append(list(g[s]))
            t = r.randrange(len(g))
            g[t] = [(e, len(g) - 1 if to == s and r.random() < .5 else to)
                    for e, to in g[t]]
        elif g[s]:  # the same step twice
            g[s] = g[s] + [r.choice(g[s])]
    return g


def changed(r, g):
    g = [list(own) for own in g]
    s = r.randrange(len(g))
    if g[s] and r.random() < .5:
        del g[s][r.randrange(len(g[s]))]
    else:
        g[s].append((r.choice(['tau', 'a', 'b']), r.randrange(len(g))))
    return g


def random_pair(r):
    one = random_graph(r)
    choice = r.random()
    two = random_graph(r) if choice < .1 else spread_out(r, one)
    if choice > .4:
        two = changed(r, two)
    return one, two


def text_of(name, g):
    lines = []
    for s, own in enumerate(g):
        steps = ['Skip' if e == 'terminate' else
                 '%s -> %s%d()' % (e, name, to) for e, to in own]
        lines.append('%s%d() = %s;' % (name, s, ' [] '.join(
            '(%s)' % step for step in steps) or 'Stop'))
    return lines


# ---- by definition ----

class Pairs:
    """The union of two graphs, and which of its states are bisimilar.

    A state from which hidden steps lead back to it can go on for ever, and so
    can, in its class, all that come to it: that is one more step, `~`."""

    def __init__(self, one, two):
        end = len(one) + len(two)
        self.edges = [[(e, end if to is None else to + offset)
                       for e, to in own]
                      for g, offset in ((one, 0), (two, len(one)))
                      for own in g] + [[]]
        self.second = len(one)
        self.seen = [own + [('~', s)] * self.comes_back(s)
                     for s, own in enumerate(self.edges)]
        self.related = {(s, t) for s in range(len(self.edges))
                        for t in range(len(self.edges))}
        wrong = True
        while wrong:
            wrong = {(s, t) for s, t in self.related
                     if not self.answers(s, t) or not self.answers(t, s)}
            self.related -= wrong

    def along(self, begin, keep):
        """Where hidden steps lead through states that `keep` likes."""
        seen, new = set(begin), list(begin)
        while new:
            for e, to in self.edges[new.pop()]:
                if e == 'tau' and keep(to) and to not in seen:
                    seen.add(to)
                    new.append(to)
        return seen

    def comes_back(self, s):
        return s in self.along([to for e, to in self.edges[s] if e == 'tau'],
                               lambda u: True)

    def answers(self, s, t):
        """Each step of s is one of t, after hidden steps of no account."""
        near = self.along([t], lambda u: (s, u) in self.related)
        return all((e == 'tau' and (to, t) in self.related) or
                   any(f == e and (to, v) in self.related
                       for u in near for f, v in self.seen[u])
                   for e, to in self.seen[s])

    def equal(self):
        return (0, self.second) in self.related


# ---- formulas ----

class Formula:
    """Read from text; the states in which it holds."""

    def __init__(self, pairs, text, where):
        self.edges = pairs.edges
        self.names = dict(line.split(' = ') for line in where)
        self.known = {}
        self.holds = self.value(text)

    def value(self, text):
        if text not in self.known:
            tokens = re.findall(r'<[^>]*>|&&|f\d+|true|[!()]', text)
            assert ''.join(tokens) == text.replace(' ', ''), text
            rest = tokens[::-1]
            self.known[text] = self.conjunction(rest)
            assert not rest, text
        return self.known[text]

    def conjunction(self, rest):
        out = self.operand(rest)
        while rest and rest[-1] == '&&':
            rest.pop()
            out = out & self.operand(rest)
        return out

    def operand(self, rest):
        everywhere = frozenset(range(len(self.edges)))
        token = rest.pop()
        if token == '!':
            return everywhere - self.operand(rest)
        if token == '(':
            inner = self.conjunction(rest)
            assert rest.pop() == ')'
            if rest and rest[-1][0] == '<':
                return self.step(rest.pop()[1:-1], inner, rest)
            return inner
        if token[0] == '<':
            return self.step(token[1:-1], everywhere, rest)
        return everywhere if token == 'true' else self.value(self.names[token])

    def step(self, event, through, rest):
        if event == '~':
            return frozenset(self.for_ever(through))
        to = frozenset(range(len(self.edges)))
        if rest and rest[-1] not in ('&&', ')'):
            to = self.operand(rest)
        if event == 'tau':
            out = set(to)
        else:
            out = {s for s in through
                   if any(e == event and t in to for e, t in self.edges[s])}
        more = True
        while more:
            more = {s for s in through - out
                    if any(e == 'tau' and t in out for e, t in self.edges[s])}
            out |= more
        return frozenset(out)

    def for_ever(self, through):
        left = set(through)
        while True:
            less = {s for s in left if any(e == 'tau' and t in left
                                           for e, t in self.edges[s])}
            if less == left:
                return left
            left = less


# ---- comparing ----

def fits(answer, pairs):
    """Why not; or None."""
    want = 'holds' if pairs.equal() else 'violated'
    if answer['verdict'] != want:
        return '%s, brute force says %s' % (answer['verdict'], want)
    if want == 'holds':
        return None
    f = Formula(pairs, answer['formula'], answer.get('where', []))
    first, second = 0 in f.holds, pairs.second in f.holds
    good = (first, second) == ((False, True)
                               if answer['satisfied_by'] == 'specification'
                               else (True, False))
    return None if good else 'the formula %s holds: %s and %s' % (
        answer['formula'], first, second)


def ask(plumb, some, options):
    """(answers to =, answers to refines both ways) of each pair."""
    lines, asserts = [], []
    for i, (one, two) in enumerate(some):
        p, q = 'P%d_' % i, 'Q%d_' % i
        lines += text_of(p, one) + text_of(q, two)
        asserts.append('#assert %s0() = %s0();' % (p, q))
        asserts += ['#assert %s0() refines%s %s0();' % (x, how, y)
                    for how in ('', '<FD>') for x, y in ((p, q), (q, p))]
    with tempfile.NamedTemporaryFile('w', suffix='.csp') as file:
        file.write('\n'.join(lines + asserts) + '\n')
        file.flush()
        done = subprocess.run([plumb, 'verify', '--json'] + options +
                              [file.name], capture_output=True, text=True,
                              check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != 5 * len(some):
        raise RuntimeError(done.stderr)
    return [(answers[5 * i], answers[5 * i + 1:5 * i + 5])
            for i in range(len(some))]


def main():
    plumb = sys.argv[1]
    first, count = (int(a) for a in sys.argv[2:4]) if len(sys.argv) > 3 else \
        (1, 400)
    tally, differ = collections.Counter(), 0
    for begin in range(first, first + count, TOGETHER):
        seeds = range(begin, min(begin + TOGETHER, first + count))
        some = [random_pair(random.Random(seed)) for seed in seeds]
        options = [['-j', '2'], ['--por', 'dynamic'], ['--symmetry', 'on'],
                   ['--engine', 'bisimilar'], []][begin % 5]
        for seed, (one, two), (equal, refines) in zip(
                seeds, some, ask(plumb, some, options)):
            pairs = Pairs(one, two)
            why = fits(equal, pairs)
            verdicts = {answer['verdict'] for answer in refines}
            if not why and pairs.equal() and verdicts != {'holds'}:
                why = 'equal, but refines is %s' % sorted(verdicts)
            tally[equal['verdict']] += 1
            tally['refine both ways'] += verdicts == {'holds'}
            tally['diverge'] += '<~>' in equal.get('formula', '')
            tally['until'] += ') <' in equal.get('formula', '')
            if why:
                differ += 1
                print('seed %d: %s\n%s\n%s' % (
                    seed, why, '\n'.join(text_of('P', one)),
                    '\n'.join(text_of('Q', two))))
    print('%s; %d pairs differ' % (', '.join(
        '%s: %d' % item for item in sorted(tally.items())), differ))
    return 1 if differ or not tally['holds'] or not tally['violated'] else 0


if __name__ == '__main__':
    sys.exit(main())
