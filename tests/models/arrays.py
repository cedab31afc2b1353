#!/usr/bin/env python3
"""arrays.py PLUMB [FIRST COUNT] - arrays as a whole against their elements.

Models at random, each written in two ways: once with arrays that are passed to
processes, sent and received as a whole, once with a name for each element and
a definition for each shape.  They have to have the same states, transitions
and verdicts.
"""
import json
import random
import subprocess
import sys
import tempfile

GLOBALS = {'x': 2, 'y': 2, 'z': 3}
CHANNELS = {'c': [2], 'd': ['n', 3], 'f': [2, 'n', 2]}
# Of parameters: a number, an array of so many, one of 2 or 3.
DEFINITIONS = {'A': [2], 'B': ['n', 3], 'C': ['any', 'n'], 'D': [2, 'any']}


class Maker:
    """A model as trees; what is called `any` is used by its elements only."""

    def __init__(self, seed):
        self.rng, self.names = random.Random(seed), 0

    def number(self, env, depth=1):
        plain = [n for n, kind in env.items() if kind == 'n']
        arrays = [n for n, kind in env.items() if kind != 'n']
        kind = self.rng.choice('cgnxp' + 's' * depth)
        if kind == 'n' and plain:
            return ('name', self.rng.choice(plain))
        if kind == 'p' and arrays and depth:
            return ('pick', self.rng.choice(arrays), self.number(env, 0))
        if kind == 'x':
            return ('text', 'x[%d]' % self.rng.randrange(2))
        if kind == 's':
            return ('sum', self.number(env, 0), self.number(env, 0))
        return ('text', 'g' if kind == 'g' else str(self.rng.randrange(3)))

    def simple(self, env):
        """What may be an argument: no two ways to write it."""
        e = self.number(env, 0)
        return e if e[0] != 'pick' else ('text', '1')

    def whole(self, env, size):
        known = [n for n, kind in list(env.items()) + list(GLOBALS.items())
                 if kind == size]
        if known and self.rng.random() < 0.7:
            return ('whole', self.rng.choice(known))
        return ('list', [self.simple(env) for _ in range(size)])

    def passed(self, env, kinds):
        def one(kind):
            if kind == 'any':
                mine = [n for n, k in env.items() if k == 'any']
                if mine and self.rng.random() < 0.5:
                    return ('whole', self.rng.choice(mine))
                kind = self.rng.choice([2, 3])
            return self.simple(env) if kind == 'n' else self.whole(env, kind)
        return [one(kind) for kind in kinds]

    def effect(self, env):
        kind = self.rng.choice(['none', 'none', 'g', 'copy', 'set'])
        name = self.rng.choice(list(GLOBALS))
        if kind == 'g':
            return [('g', self.number(env))]
        if kind == 'copy':
            size = GLOBALS[name]
            value = self.whole(env, size)
            if value[0] == 'list':  # constants only, here
                value = ('list', [('text', str(i)) for i in range(size)])
            return [('copy', name, value)]
        if kind == 'set':
            return [('set', name, self.number(env), self.number(env))]
        return []

    def condition(self, env):
        size = self.rng.choice([2, 3])
        op = self.rng.choice(['==', '!='])
        if self.rng.random() < 0.4:
            left = [n for n, k in list(env.items()) + list(GLOBALS.items())
                    if k == size]
            return ('compare', op, ('whole', self.rng.choice(left)),
                    self.whole(env, size))
        return ('number', op, self.number(env), self.number(env))

    def process(self, env, depth):
        kind = self.rng.choice('eeessrkkkG[' if depth else 'kS')
        if kind == 'e':
            return ('event', self.rng.choice('uvw'),
                    [self.number(env) for _ in range(self.rng.randrange(3))],
                    self.effect(env), self.process(env, depth - 1))
        if kind == 's':
            channel = self.rng.choice(list(CHANNELS))
            return ('send', channel, self.passed(env, CHANNELS[channel]),
                    self.process(env, depth - 1))
        if kind == 'r':
            channel, names = self.rng.choice(list(CHANNELS)), []
            for _ in CHANNELS[channel]:
                self.names += 1
                names.append('r%d' % self.names)
            inner = dict(env, **dict(zip(names, CHANNELS[channel])))
            return ('receive', channel, names, self.process(inner, depth - 1))
        if kind == 'k':
            name = self.rng.choice(list(DEFINITIONS))
            return ('call', name, self.passed(env, DEFINITIONS[name]))
        if kind == 'G':
            return ('guard', self.condition(env), self.process(env, depth - 1))
        if kind == '[':
            return ('choice', self.process(env, depth - 1),
                    self.process(env, depth - 1))
        return ('skip',)

    def model(self):
        definitions = {}
        for name, kinds in DEFINITIONS.items():
            env = {'%s%d' % (name.lower(), i): kind
                   for i, kind in enumerate(kinds)}
            definitions[name] = (list(env), ('event', name.lower() * 2, [], [],
                                             self.process(env, 3)))
        system = [self.process({}, 3) for _ in range(3)]
        return definitions, system


class Writer:
    """Either way; `env` has the sizes of names, 0 of a number."""

    def __init__(self, definitions, spread):
        self.definitions, self.spread = definitions, spread
        self.wanted, self.done = [], {}

    def elements(self, e, env):
        if e[0] == 'list':
            return [self.number(part, env) for part in e[1]]
        if e[1] in env:
            return ['%s_%d' % (e[1], i) for i in range(env[e[1]])]
        return ['%s[%d]' % (e[1], i) for i in range(GLOBALS[e[1]])]

    def size(self, e, env):
        return len(self.elements(e, env)) if e[0] in ('list', 'whole') else 0

    def number(self, e, env):
        if e[0] in ('name', 'text'):
            return e[1]
        if e[0] == 'sum':
            return '((%s + %s) %% 3)' % (self.number(e[1], env),
                                         self.number(e[2], env))
        at = '(%s %% 2)' % self.number(e[2], env)
        if not self.spread:
            return '(%s[%s])' % (e[1], at)
        return '(%s)' % ' + '.join('%s_%d*(%s == %d)' % (e[1], i, at, i)
                                   for i in range(env[e[1]]))

    def passed(self, e, env):
        if e[0] not in ('list', 'whole'):
            return ['(%s)' % self.number(e, env)]
        if self.spread:
            return ['(%s)' % one for one in self.elements(e, env)]
        return ['[%s]' % ', '.join(self.elements(e, env))
                if e[0] == 'list' else e[1]]

    def all_passed(self, parts, env, between):
        return between.join(one for e in parts for one in self.passed(e, env))

    def effect(self, s, env):
        if s[0] == 'g':
            return 'g = %s %% 3' % self.number(s[1], env)
        if s[0] == 'set':
            return '%s[%s %% 2] = %s %% 3' % (
                s[1], self.number(s[2], env), self.number(s[3], env))
        if self.spread:
            return '; '.join('%s[%d] = %s' % (s[1], i, e) for i, e in
                             enumerate(self.elements(s[2], env)))
        return '%s = %s' % (s[1], self.passed(s[2], env)[0])

    def condition(self, c, env):
        if c[0] == 'number':
            return '%s %s %s' % (self.number(c[2], env), c[1],
                                 self.number(c[3], env))
        if not self.spread:
            return '%s %s %s' % (c[2][1], c[1], self.passed(c[3], env)[0])
        return (' && ' if c[1] == '==' else ' || ').join(
            '%s %s %s' % (a, c[1], b) for a, b in
            zip(self.elements(c[2], env), self.elements(c[3], env)))

    def bound(self, name, size):
        if self.spread and size:
            return ['%s_%d' % (name, i) for i in range(size)]
        return [name]

    def call(self, p, env):
        sizes = [self.size(e, env) for e in p[2]]
        key = (p[1], tuple(sizes))
        if key not in self.done:
            self.done[key] = p[1]
            self.wanted.append(key)
        return '%s(%s)' % (self.label(key), self.all_passed(p[2], env, ', '))

    def label(self, key):
        return key[0] + ''.join('_%d' % s for s in key[1]) * self.spread

    def process(self, p, env):
        if p[0] == 'event':
            data = ''.join('.(%s)' % self.number(e, env) for e in p[2])
            effect = '; '.join(self.effect(s, env) for s in p[3])
            return '%s%s%s -> %s' % (p[1], data, '{%s}' % effect if effect
                                     else '', self.process(p[4], env))
        if p[0] == 'send':
            return '%s!%s -> %s' % (p[1], self.all_passed(p[2], env, '.'),
                                    self.process(p[3], env))
        if p[0] == 'receive':
            sizes = [0 if k == 'n' else k for k in CHANNELS[p[1]]]
            names = [one for name, size in zip(p[2], sizes)
                     for one in self.bound(name, size)]
            return '%s?%s -> %s' % (p[1], '.'.join(names), self.process(
                p[3], dict(env, **dict(zip(p[2], sizes)))))
        if p[0] == 'call':
            return self.call(p, env)
        if p[0] == 'guard':
            return '[%s] (%s)' % (self.condition(p[1], env),
                                  self.process(p[2], env))
        if p[0] == 'choice':
            return '(%s [] %s)' % (self.process(p[1], env),
                                   self.process(p[2], env))
        return 'Skip'

    def model(self, system):
        lines = ['System() = %s;' % ' ||| '.join(
            '(%s)' % self.process(p, {}) for p in system)]
        written = set()
        while self.wanted:
            key = self.wanted.pop()
            names, body = self.definitions[key[0]]
            text = self.process(body, dict(zip(names, key[1])))
            if self.spread or key[0] not in written:
                parameters = [one for name, size in zip(names, key[1])
                              for one in self.bound(name, size)]
                lines.insert(0, '%s(%s) = %s;' % (
                    self.label(key), ', '.join(parameters), text))
            written.add(key[0])
        return HEAD + '\n'.join(lines) + TAIL


HEAD = '''var g; var x = [0, 1]; var y = [2, 0]; var z = [1, 2, 1];
channel c 1; channel d 0; channel f 1;
'''
TAIL = '''
#define goal (g == 2 && x[0] == 2);
#assert System() deadlockfree;
#assert System() reaches goal;
#assert System() divergencefree;
'''


def answers(plumb, text, way):
    with tempfile.NamedTemporaryFile('w', suffix='.csp') as file:
        file.write(text)
        file.flush()
        done = subprocess.run([plumb, 'verify', '--json', '-t', '5'] + way +
                              [file.name], capture_output=True, text=True,
                              check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return [(a['verdict'], a.get('states'), a.get('transitions'))
            for a in lines], done.stderr


def main():
    plumb = sys.argv[1]
    first, count = (int(a) for a in sys.argv[2:4]) if len(sys.argv) > 3 else \
        (1, 100)
    differ = agreed = held = undecided = states = 0
    for seed in range(first, first + count):
        definitions, system = Maker(seed).model()
        texts = [Writer(definitions, spread).model(system)
                 for spread in (False, True)]
        way = [['--no-por'], ['--no-por', '-j', '2'], ['--compile', 'always'],
               ['--por', 'dynamic']][seed % 4]
        whole, spread = (answers(plumb, text, way) for text in texts)
        if any(a[0] == 'undecided' for a in whole[0] + spread[0]):
            undecided += 1
            continue
        if whole[0] != spread[0] or not whole[0]:
            print('seed %d: %s %s\n%s\n---- is not %s %s\n%s' % (
                (seed,) + whole + (texts[0],) + spread + (texts[1],)))
            differ += 1
            continue
        agreed += 1
        held += sum(a[0] == 'holds' for a in whole[0])
        states += whole[0][0][1] or 0
    print('%d models agree (%d assertions hold, %d states), %d differ, '
          '%d undecided' % (agreed, held, states, differ, undecided))
    return 1 if differ or not agreed else 0


if __name__ == '__main__':
    sys.exit(main())
