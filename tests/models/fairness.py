#!/usr/bin/env python3
"""fairness.py PLUMB [FIRST COUNT] - verdicts under fairness, by definition.

Who is a process is written down here a second time, by putting names into the
model: when a composition begins, each of its operands gets one, and keeps it
whatever becomes of it; copies get one each.  A run that goes round for ever is
a set of states; all sets are tried.

For models at random, by seed: compositions at the top, and the same behind
events, in sequences, in choices, hidden, interrupted, atomic.
"""
import itertools
import json
import random
import subprocess
import sys
import tempfile

import oracle

MOST = 150    # states of a model that is worth it
LARGEST = 11  # states among which a run may go round
FAIRNESS = {'weak': all, 'strong': any}


# ---- who is who ----

class Named(oracle.Model):
    def normal(self, t, depth=0):
        if t[0] == 'process':
            return t[:2] + (super().normal(t[2], depth + 1),)
        return super().normal(t, depth)

    def steps(self, shared, t):
        if t[0] == 'process':
            return [oracle.wrap(s, lambda p: t[:2] + (p,), {('by', t[1])})
                    for s in by_nobody(self.steps(shared, t[2]))]
        if t[0] == 'ifa':
            return self.first_steps(shared, t)
        steps = super().steps(shared, t)
        return by_nobody(steps) if t[0] in ('[]', '[*]') else steps

    def first_steps(self, shared, t):
        """The test is made with the first step."""
        test = oracle.evaluate(t[1], self.environment(shared[0]))
        steps = self.steps(shared, self.begun(self.normal(t[2 if test
                                                            else 3])))
        return steps if oracle.is_constant(t[1]) else by_nobody(steps)

    def seen(self, t):
        """Tests whose answer is known are answered."""
        while t[0] == 'ifa' and oracle.is_constant(t[1]):
            t = self.normal(t[2 if oracle.evaluate(t[1], {}) else 3])
        return t

    def named(self, t, names, operand=False):
        """`t` with names for its processes, if it is a composition."""
        t = self.seen(t)
        kind = t[0]
        if kind == '|||':
            return (kind,) + tuple(self.named(p, names, True) for p in t[1:])
        if kind == 'sync':
            return (kind, tuple(self.named(p, names, True) for p in t[1]),
                    t[2])
        if kind == 'copies':
            return ('|||',) + tuple(('process', next(names), p)
                                    for p in t[1:])
        if kind == 'hide' and self.is_composition(t):
            return (kind, self.named(t[1], names, operand)) + t[2:]
        return ('process', next(names), t) if operand else t

    def is_composition(self, t):
        t = self.seen(t)
        while t[0] == 'hide':
            t = self.seen(t[1])
        return t[0] in ('|||', 'sync', 'copies')

    def begun(self, t):
        """The whole process: a composition that has just begun gets names."""
        if self.is_composition(t):
            return t if has_names(t) else self.named(t, itertools.count())
        t = self.seen(t)
        if t[0] in (';', 'hide', 'atomic', 'interrupt'):
            return (t[0], self.begun(t[1])) + t[2:]
        if t[0] in ('[]', '[*]'):
            return t[:1] + tuple(self.begun(p) for p in t[1:])
        return t

    def initial(self, term):
        values, messages, t = super().initial(term)
        return (values, messages, self.begun(t))

    def moves(self, state):
        """((label, who takes part), state)."""
        values, messages, term = state
        steps = [s for s in self.steps((values, messages), term)
                 if isinstance(s[0], str)]
        if any('atomic' in s[3] for s in steps):
            steps = [s for s in steps if 'atomic' in s[3]]
        return [((label, frozenset(m[1] for m in marks if m[0] == 'by')),
                 shared + (self.begun(self.normal(t)),))
                for label, shared, t, marks in steps]


def by_nobody(steps):
    """The first steps of a choice that is not made yet."""
    return [s[:3] + (frozenset(m for m in s[3] if m[0] != 'by'),)
            for s in steps]


def has_names(t):
    return isinstance(t, tuple) and bool(t) and (
        t[0] == 'process' or any(has_names(p) for p in t[1:]))


# ---- runs ----

class Runs:
    def __init__(self, graph):
        self.edges = graph.edges
        self.able = [frozenset().union(*(who for (_, who), _ in own))
                     for own in graph.edges]

    def has_end(self):
        return any(not own for own in self.edges)

    def without(self, label, begin):
        """States reached from `begin` by other edges than those."""
        seen, new = set(begin), list(begin)
        while new:
            for (event, _), target in self.edges[new.pop()]:
                if event != label and target not in seen:
                    seen.add(target)
                    new.append(target)
        return seen

    def rounds(self, label, among):
        """Sets of states that a run can stay in, without that label."""
        left = set(among)
        while left:
            state = min(left)
            whole = {s for s in self.without(label, [state])
                     if state in self.without(label, [s])}
            left -= whole
            if len(whole) > LARGEST:
                raise oracle.Unbounded
            for size in range(1, len(whole) + 1):
                yield from itertools.combinations(sorted(whole), size)

    def is_fair(self, states, label, quantifier):
        """Can a run be in exactly these again and again, and be fair?"""
        inner = [(s, who, target) for s in states
                 for (event, who), target in self.edges[s]
                 if event != label and target in states]
        seen, new = {states[0]}, [states[0]]
        while new:
            at = new.pop()
            for s, _, target in inner:
                if s == at and target not in seen:
                    seen.add(target)
                    new.append(target)
        back = {states[0]}
        while True:
            more = {s for s, _, target in inner if target in back} - back
            if not more:
                break
            back |= more
        if not inner or seen != set(states) or back != set(states):
            return False
        acting = frozenset().union(*(who for _, who, _ in inner))
        able = frozenset().union(*(self.able[s] for s in states))
        return all(p in acting for p in able
                   if quantifier(p in self.able[s] for s in states))

    def breaks(self, label, once, quantifier):
        """Is there a fair run that breaks <> label, or []<> label?"""
        among = self.without(label, [0]) if once else range(len(self.edges))
        return any(self.is_fair(states, label, quantifier)
                   for states in self.rounds(label, among))


# ---- models ----

class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def pick(self, *options):
        return self.r.choice(options)

    def loop(self, number):
        """A process that goes on for ever, or waits."""
        me, own = 'L%d()' % number, 'e%d' % number
        if self.r.random() < .15:
            return self.pick('c!0 -> %s -> %s', 'c?0 -> %s -> %s') % (own, me)
        return self.pick(
            '%s -> %s', '%s -> tau -> %s', '%s -> a -> %s',
            '[x == 0] %s{x = 1} -> tau{x = 0} -> %s',
            '[x == 0] %s -> %s', 'tau{x = 1} -> (%s -> tau{x = 0} -> %s)',
            '%s{x = 1} -> [x == 1] tau{x = 0} -> %s') % (own, me) \
            if self.r.random() < .8 else \
            '(%s -> %s) [] (a -> %s)' % (own, me, me)

    def operand(self, depth):
        choice = self.r.random()
        if depth and choice < .25:
            return '(%s)' % self.composition(depth - 1)
        if depth and choice < .35:
            return '(go -> (%s))' % self.composition(depth - 1)
        if choice < .45:
            return '(|||{%d} @ %s)' % (self.pick(2, 2, 3), self.copy())
        if depth and choice < .5:
            return '(ifa (1 == %s) { %s } else { %s })' % (
                self.pick('0', '1'), self.composition(depth - 1), self.leaf())
        return self.leaf()

    def leaf(self):
        return 'L%d()' % self.r.randrange(3)

    def copy(self):
        """One that is left out is seen: nobody else counts up so far."""
        return self.pick('K()', 'K()', self.leaf())

    def composition(self, depth):
        parts = ' %s ' % self.pick('|||', '|||', '||')
        parts = parts.join(self.operand(depth)
                           for _ in range(self.pick(2, 2, 3)))
        if self.r.random() < .15:
            parts = '(%s) \\ {%s}' % (parts, self.pick('a', 'e0'))
        return parts

    def short(self):
        return '(%s -> Skip)' % self.pick('f', 'g', 'a', 'tau{x = 1}', 'f')

    def whole(self):
        inner = '(%s)' % self.composition(1)
        short = '(%s ||| %s)' % (self.short(), self.short())
        return self.pick(
            '%(in)s', 'f -> %(in)s', 'Skip; %(in)s', '%(short)s; %(in)s',
            'tau{x = 1} -> %(in)s', '(f -> %(in)s) \\ {f}',
            'atomic { f -> %(in)s }', '%(in)s interrupt (r -> %(in)s)',
            '(%(in)s) [] (f -> S())', '(%(short)s; S()) [] (f -> S())',
            '(f -> S()) [*] (%(short)s; S())', '[x == 0] %(in)s',
            '%(short)s; S()', '(|||{2} @ %(short)s); S()',
            '|||{3} @ K()', 'f -> (|||{2} @ (L1() [] K()))',
            '%(short)s interrupt (r -> S())',
            'ifa (x == 0) { %(in)s } else { f -> S() }') % {
                'in': inner, 'short': short}

    def model(self):
        lines = ['var x = 0;', 'var k = 0;', 'channel c 0;',
                 'K() = k.k{k = k + 1} -> %s;' % self.leaf()]
        lines += ['L%d() = %s;' % (i, self.loop(i)) for i in range(3)]
        return '\n'.join(lines + ['S() = %s;' % self.whole()]) + '\n'


def wanted(text):
    """(formula, fairness, verdict), as far as it can be said."""
    try:
        runs = Runs(Named(text).graph(('ref', 'S', ()), MOST))
    except (oracle.Unbounded, oracle.Wrong):
        return
    if runs.has_end():
        return
    labels = {label for own in runs.edges for (label, _), _ in own}
    for label in sorted(labels - {'tau', 'tick'}):
        for once in (True, False):
            formula = ('<> %s' if once else '[]<> %s') % label
            for name, quantifier in FAIRNESS.items():
                try:
                    broken = runs.breaks(label, once, quantifier)
                except oracle.Unbounded:
                    continue
                yield formula, name, 'violated' if broken else 'holds'


def answers(plumb, text, formulas, *options):
    with tempfile.NamedTemporaryFile('w', suffix='.csp') as file:
        file.write(text + ''.join('#assert S() |= %s;\n' % f
                                  for f in formulas))
        file.flush()
        done = subprocess.run(
            [plumb, 'verify', '--json', *options, file.name],
            capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return [line['verdict'] for line in lines], done.stderr


def main():
    plumb = sys.argv[1]
    first, count = (int(a) for a in sys.argv[2:4]) if len(sys.argv) > 3 else \
        (1, 200)
    held = broken = differ = 0
    for seed in range(first, first + count):
        text = Maker(seed).model()
        every = list(wanted(text))
        for fairness in FAIRNESS:
            wants = [w for w in every if w[1] == fairness]
            if not wants:
                continue
            got, said = answers(
                plumb, text, [w[0] for w in wants], '--fairness', fairness,
                '--count', 'pat2' if seed % 3 == 0 else 'pat3',
                '-j', str(1 + seed % 2))
            held += got.count('holds')
            broken += got.count('violated')
            if got == [w[2] for w in wants]:
                continue
            differ += 1
            print('seed %d, %s: %s%s\n%s' % (
                seed, fairness, [w + (g,) for w, g in zip(wants, got)
                                 if w[2] != g], said, text))
    print('%d formulas hold, %d are violated; %d models differ' %
          (held, broken, differ))
    return 1 if differ or not held or not broken else 0


if __name__ == '__main__':
    sys.exit(main())
