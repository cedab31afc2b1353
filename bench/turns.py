#!/usr/bin/env python3
"""turns.py - histories of ten objects: nine hard ones and an easy violation.

    turns.py DIRECTORY [FIRST [LAST]]    write histories FIRST ... LAST (1 ... 50)

History k is made from seed k alone.  A hard object has so many overlapping
operations that no search ends; the easy one is of the same kind and small, and
may be any of the ten.  NAME.easy holds the easy object alone, to be timed by
itself.
"""
import random
import sys


def calls_and_returns(name, calls, answers):
    lines = [f'{name} {call} {name}{i}' for i, call in enumerate(calls)]
    lines += [f'{name} {answer} {name}{i}' for i, answer in enumerate(answers)]
    return lines


def sums(rng, name, n):
    """Overlapping additions, and a value that no subset of them makes."""
    weight = [3 * (2 ** i) for i in range(n)]
    rng.shuffle(weight)
    calls = [f'add({w})' for w in weight] + ['get()']
    wrong = 3 * rng.randrange(2 ** (n - 1), 2 ** n) + 1
    return calls_and_returns(name, calls, ['ok()'] * n + [f'ok({wrong})'])


def ends(rng, name, n):
    """Overlapping additions at the back, taken from the front; the last one
    twice."""
    values = rng.sample(range(1000), n)
    lines = calls_and_returns(name, [f'push_back({v})' for v in values],
                              ['ok()'] * n)
    rng.shuffle(values)
    for v in values + values[-1:]:
        lines += [f'{name} pop_front() {name}x', f'{name} ok({v}) {name}x']
    return lines


KINDS = [('counter', sums, 46, range(10, 19)), ("deque", ends, 30, range(6, 10))]


def history(seed):
    rng = random.Random(seed)
    spec, make, hard, easy = KINDS[seed % len(KINDS)]
    place = rng.randrange(10)
    size = rng.choice(easy)
    objects = [make(rng, f'o{i}', size if i == place else hard + rng.randrange(8))
               for i in range(10)]
    return spec, objects, place


def main():
    folder = sys.argv[1]
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    last = int(sys.argv[3]) if len(sys.argv) > 3 else max(first, 50)
    for seed in range(first, last + 1):
        spec, objects, place = history(seed)
        name = f'{folder}/{seed:02d}-{spec}.hist'
        with open(name, 'w') as out:
            out.write('\n'.join(line for o in objects for line in o) + '\n')
        with open(name[:-5] + '.easy', 'w') as out:
            out.write('\n'.join(objects[place]) + '\n')


main()
