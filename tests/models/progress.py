#!/usr/bin/env python3
"""progress.py PLUMB [FIRST COUNT] - lockfree, waitfree and obstructionfree, by
definition.

Small objects at random, by seed: clients that spin, compare and swap, wait,
lock, meet each other or a server, or are inside atomic { }.  Who takes a step
is what fairness.py says, with names in the model.  What an operation, a blocked
client and an endless run are is written down here once more, place by place,
from docs/how-verification-works.md.
"""
import collections
import json
import random
import subprocess
import sys
import tempfile

import fairness
import oracle

MOST = 400  # states of a model that is worth it
KINDS = ('lockfree', 'waitfree', 'obstructionfree')
OPTIONS = [['--por', 'none', 'local', 'dynamic'],
           ['--symmetry', 'auto', 'on', 'off'],
           ['--engine', 'auto', 'product', 'antichain', 'bisimilar'],
           ['--fairness', 'none', 'weak', 'strong'],
           ['--count', None, 'pat2', 'pat3'],
           ['-j', '1', '2', '3']]


class Misuse(Exception):
    """Calls and responses do not pair, or belong to nobody."""


# ---- places ----

class Marked(fairness.Named):
    def moves(self, state):
        """((label, who takes part, is it atomic), state)."""
        atomic = any('atomic' in s[3] for s in self.steps(state[:2], state[2])
                     if isinstance(s[0], str))
        return [(label + (atomic,), target)
                for label, target in super().moves(state)]


def operations(text):
    """The names OP of all events OP_inv."""
    words = oracle.scan(text)
    return {w[:-4] for w in words if w.endswith('_inv')}


def meaning(label, names):
    """('call' or 'response', client, operation), or None."""
    name, _, data = label.partition('.')
    if name.endswith('_inv'):
        op, kind = name[:-4], 'call'
    else:
        of = [op for op in names if name.startswith(op + '_')]
        if not of or name == max(of, key=len) + '_lin':
            return None
        op, kind = max(of, key=len), 'response'
    if not data:
        raise Misuse('no client')
    return kind, int(data.split('.')[0]), op


Step = collections.namedtuple('Step', 'target who atomic said')


class Places:
    """Pairs of a state and {client: operation}; their steps."""

    def __init__(self, graph, names, clients):
        self.clients = range(clients)
        self.edges, self.names = graph.edges, names
        self.callers = {i: set() for i in self.clients}
        self.steps, self.places = {}, [(0, frozenset())]
        for place in self.places:
            self.steps[place] = list(self.steps_of(place))
            for step in self.steps[place]:
                if step.target not in self.steps and \
                        step.target not in self.places:
                    self.places.append(step.target)
        if not any(self.callers.values()):
            raise Misuse('nobody calls')
        self.own = {i: who - set().union(*(
            other for k, other in self.callers.items() if k != i))
            for i, who in self.callers.items()}
        if any(who and not self.own[i] for i, who in self.callers.items()):
            raise Misuse('clients in one process')

    def steps_of(self, place):
        state, waits = place
        everybody = frozenset().union(*(
            who for own in self.edges for (_, who, _), _ in own)) | {'whole'}
        for (label, who, atomic), target in self.edges[state]:
            said, after = meaning(label, self.names), dict(waits)
            who = who or everybody
            if said:
                kind, client, op = said
                if client not in self.clients:
                    raise Misuse('another client')
                if after.get(client) != (None if kind == 'call' else op):
                    raise Misuse(label)
                after.pop(client, None)
                if kind == 'call':
                    after[client] = op
                self.callers[client] |= who
            yield Step((target, frozenset(after.items())), who, atomic, said)

    def waiting(self, place):
        return [i for i, _ in place[1]]

    def acts(self, step, i):
        return bool(step.who & self.own[i])

    def alone(self, step, i):
        return self.acts(step, i) and not any(
            self.acts(step, k) for k in self.clients if k != i)

    # what goes wrong

    def preempted(self, place, i):
        own = self.steps[place]
        return i in self.waiting(place) and bool(own) and own[0].atomic and \
            not any(self.alone(s, i) for s in own)

    def blocked(self):
        for place in self.places:
            for i in self.waiting(place):
                if self.preempted(place, i):
                    if self.comes_back(place, lambda p, s, i=i:
                                       self.preempted(p, i) and
                                       self.preempted(s.target, i)):
                        return True
                elif not any(self.alone(s, i) for s in self.steps[place]):
                    return True
        return False

    def reached(self, begin, allowed):
        seen, new = {begin}, [begin]
        while new:
            place = new.pop()
            for step in self.steps[place]:
                if allowed(place, step) and step.target not in seen:
                    seen.add(step.target)
                    new.append(step.target)
        return seen

    def comes_back(self, place, allowed):
        """By one step or more."""
        return any(place in self.reached(step.target, allowed)
                   for step in self.steps[place] if allowed(place, step))

    def repeats(self, allowed, counts):
        """Is there a round of allowed steps of which one counts?"""
        return any(place in self.reached(step.target, allowed)
                   for place in self.places for step in self.steps[place]
                   if allowed(place, step) and counts(place, step))

    def lockfree(self):
        return not self.blocked() and not self.repeats(
            lambda p, s: not s.said or s.said[0] != 'response',
            lambda p, s: any(self.acts(s, i) for i in self.waiting(p)))

    def waitfree(self):
        return not self.blocked() and not any(self.repeats(
            lambda p, s, i=i: i in self.waiting(p) and
            i in self.waiting(s.target),
            lambda p, s, i=i: self.acts(s, i)) for i in self.clients)

    def obstructionfree(self):
        return not self.blocked() and all(
            self.completes(i) for i in self.clients)

    def completes(self, i):
        """Alone, from wherever its operation is open: all ways end."""
        done = {p for p in self.places if i not in self.waiting(p) or
                self.preempted(p, i)}
        more = True
        while more:
            more = {p for p in self.places if p not in done and all(
                s.target in done for s in self.steps[p] if self.alone(s, i))}
            done |= more
        return len(done) == len(self.places)


# ---- objects ----

class Objects:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.clients = self.pick(1, 2, 2, 2, 2, 3)
        self.calm = self.r.random() < .45    # no waiting
        self.meets = not self.calm and self.r.random() < .15
        self.atomic = self.r.random() < .15
        self.helped = self.r.random() < .15  # by a server
        self.parts = self.pick(1, 2, 2, 3)
        self.operations = self.pick(1, 1, 2)

    def pick(self, *options):
        return self.r.choice(options)

    def var(self):
        return self.pick('x', 'x', 'y')

    def go(self, op, part):
        """Further on, back, or done; mostly further on."""
        if part + 1 < self.parts and self.r.random() < .75:
            return '%s%d(i)' % (op.upper(), part + 1)
        if self.r.random() < (.12 if self.calm else .2):
            return '%s%d(i)' % (op.upper(), self.r.randrange(self.parts))
        return self.done(op)

    def done(self, op):
        choice = self.r.random()
        if choice < .01:
            return self.pick('Skip', 'Stop', 'e_res.i -> Skip')
        return '%s_%s.i%s -> Skip' % (op, self.pick('res', 'res', 'empty'),
                                      self.pick('', '.x'))

    def swap(self, op, part):
        x, me = self.var(), '%s%d(i)' % (op.upper(), part)
        return ('tau{L[i] = %s} -> ifa (%s == L[i]) '
                '{ tau{%s = (%s + 1) %% 3} -> %s } else { tau -> %s }' %
                (x, x, x, x, self.go(op, part), me))

    def claim(self, op, part):
        """Again if somebody else came in between: they may keep at it."""
        x, me = self.var(), '%s%d(i)' % (op.upper(), part)
        return 'tau{%s = i} -> ifa (%s == i) { %s } else { tau -> %s }' % (
            x, x, self.go(op, part), me)

    def body(self, op, part):
        x, k = self.var(), self.pick(0, 1)
        on, me = self.go(op, part), '%s%d(i)' % (op.upper(), part)
        options = ['tau{%s = %d} -> %s' % (x, k, on),
                   'tau{%s = (%s + 1) %% 2} -> %s' % (x, x, on),
                   'tau{L[i] = %s} -> if (L[i] == %d) { %s } else { %s }' %
                   (x, k, on, self.go(op, part)),
                   self.swap(op, part), self.swap(op, part),
                   self.claim(op, part),
                   '(tau -> %s) [] (tau{%s = %d} -> %s)' %
                   (on, x, k, self.go(op, part))]
        if not self.calm:
            options += [
                '[%s == %d] tau{%s = %d} -> %s' % (x, k, x, 1 - k, on),
                'ifb (%s == %d) { tau{%s = %d} -> %s }' % (x, k, x, 1 - k, on),
                'if (%s == %d) { %s } else { %s }' % (x, k, on, me),
                'ifa (%s == 0) { tau{%s = 1} -> tau{%s = 0} -> %s } '
                'else { tau -> %s }' % (x, x, x, on, me),
                '((s -> Skip) ||| tau{%s = %d} -> Skip); %s' % (x, k, on)]
        if self.meets:
            options += ['m!0 -> %s' % on, 'm?0 -> %s' % on] * 2
        if self.helped:
            options += ['h!i -> %s' % on] * 2
        if self.atomic:
            options += [
                'atomic { tau{L[i] = %s} -> tau{%s = L[i]} -> Skip }; %s' %
                (x, x, on),
                'atomic { if (%s == %d) { tau -> Skip } else '
                '{ tau -> %s } }; %s' % (x, k, self.pick('Skip', me), on)] * 3
        return self.pick(*options)

    def client(self, ops):
        one = '(%s)' % ' [] '.join(
            '%s_inv.i%s -> %s0(i)' % (op, self.pick('', '.1'), op.upper())
            for op in ops)
        choice = self.r.random()
        if choice < .2:
            return one
        if choice < .3:
            return one + '; tau -> Client(i)'
        if choice < .35:
            return '(%s; Client(i)) [] (tau -> Client(i))' % one
        if choice < .4:
            return 'think.i -> %s; Client(i)' % one
        if choice < .45:
            return '%s; Client(%s)' % (one, self.pick('0', 'i'))
        return one + '; Client(i)'

    def system(self):
        text = '||| i:{0..%d} @ Client(i)' % (self.clients - 1)
        if self.r.random() < .25:
            text = ' ||| '.join('Client(%d)' % i for i in range(self.clients))
        if self.helped or self.r.random() < .15:
            text = '(%s) ||| Server()' % text
        choice = self.r.random()
        if choice < .05:
            return 'tau{x = 1} -> (%s)' % text
        if choice < .1:
            return '(go -> Skip); (%s)' % text
        if choice < .15:
            return '(%s) \\ {s, think.0}' % text
        if choice < .18:
            return '(%s) [] (go -> (%s))' % (text, text)
        return text

    def server(self):
        return self.pick('h?z -> Server()', 'h?z -> tau{x = 0} -> Server()',
                         'h?z -> tau -> Server()', 'tau -> Server()',
                         'h?0 -> Server()', 'tau{x = 0} -> Server()',
                         '(h?z -> Server()) [] (tau{y = 0} -> Server())')

    def model(self):
        ops = ['a', 'b_c'][:self.operations]
        lines = ['var x = %d;' % self.pick(0, 0, 1), 'var y;', 'var L[3];',
                 'channel m 0;', 'channel h 0;']
        for op in ops:
            lines += ['%s%d(i) = %s;' % (op.upper(), part, self.body(op, part))
                      for part in range(self.parts)]
        lines += ['Client(i) = %s;' % self.client(ops),
                  'Server() = %s;' % self.server(),
                  'S() = %s;' % self.system()]
        return '\n'.join(lines) + '\n'


# ---- comparing ----

def wanted(text, clients):
    """The verdicts; 'error' if the object cannot be asked; None: too large."""
    try:
        graph = Marked(text).graph(('ref', 'S', ()), MOST)
        places = Places(graph, operations(text), clients)
    except (oracle.Unbounded, oracle.Wrong, RecursionError):
        return None
    except Misuse:
        return ['error'] * len(KINDS)
    return ['holds' if getattr(places, kind)() else 'violated'
            for kind in KINDS]


def choose(r):
    """Options that go together."""
    chosen = {row[0]: r.choice(row[1:]) for row in OPTIONS}
    if chosen['--engine'] not in ('product', 'antichain'):
        chosen['--count'] = None
    return [word for name, value in chosen.items() if value
            for word in (name, value)]


def answers(plumb, text, clients, words):
    with tempfile.NamedTemporaryFile('w', suffix='.csp') as file:
        file.write(text + ''.join('#assert S() %s (clients %d);\n' %
                                  (kind, clients) for kind in KINDS))
        file.flush()
        done = subprocess.run([plumb, 'verify', '--json', '-t', '100'] +
                              words + [file.name], capture_output=True,
                              text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return [line['verdict'] for line in lines], done.stderr


def main():
    plumb = sys.argv[1]
    first, count = (int(a) for a in sys.argv[2:4]) if len(sys.argv) > 3 else \
        (1, 200)
    tally, differ, large = collections.Counter(), 0, 0
    for seed in range(first, first + count):
        objects = Objects(seed)
        text, clients = objects.model(), objects.clients
        wants = wanted(text, clients)
        if wants is None:
            large += 1
            continue
        words = choose(random.Random(seed))
        got, said = answers(plumb, text, clients, words)
        tally.update(zip(KINDS, wants))
        if got != wants:
            differ += 1
            print('seed %d %s: %s, the oracle says %s\n%s%s' % (
                seed, ' '.join(words), got, wants, said, text))
    print('%s; %d objects differ, %d too large' % (', '.join(
        '%s %s: %d' % (*what, n) for what, n in sorted(tally.items())),
        differ, large))
    seen = {what for what in tally if what[1] != 'error'}
    return 1 if differ or len(seen) < 2 * len(KINDS) else 0


if __name__ == '__main__':
    sys.exit(main())
