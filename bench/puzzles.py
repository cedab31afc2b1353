#!/usr/bin/env python3
"""puzzles.py PLUMB [--few] - goals far away: breadth first, depth first, both.

For each puzzle (bench/puzzles) and each --search: the states that were visited,
memory and processor time.  All orders have to come to the verdict that is
written here; both together visit at most twice as many states as the better one
alone, and 10,000, until something is found, and take at most 1.3 times as much
memory as the larger one.  --few takes those that end at once.
"""
import json
import os
import subprocess
import sys

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'puzzles')
SPARE, TWICE, MEMORY = 10000, 2, 1.3
TURN = 4096
PUZZLES = [  # name, definitions, does it have a solution, is it quick
    ('pegs', 'N=4', True, True),
    ('pegs', 'N=4 HOLE=5', False, True),
    ('pegs', 'N=5 HOLE=2', True, False),
    ('pegs', 'N=5 HOLE=7', True, False),
    ('pegs', 'N=5 HOLE=1', False, False),
    ('triangle', '', True, True),
    ('triangle', 'HOLE=4', True, True),
    ('triangle', 'HOLE=4 LAST=4', False, True),
    ('tiles', 'W=3 H=2', True, True),
    ('tiles', 'W=3 H=2 SWAP=1', False, True),
    ('tiles', 'W=4 H=2', False, True),
    ('tiles', 'W=4 H=2 SWAP=1', True, True),
    ('tiles', 'W=3 H=3', True, False),
    ('tiles', 'W=3 H=3 SWAP=1', False, False),
    ('blocks', '', True, True),
    ('blocks', 'STUCK=1', False, True),
    ('river', 'N=3 SEATS=2', True, True),
    ('river', 'N=4 SEATS=2', False, True),
    ('river', 'N=60 SEATS=4', True, False),
    ('ferry', 'N=6 ROOM=3', True, True),
    ('ferry', 'N=8 ROOM=3', False, True),
    ('maze', 'N=61 KEYS=9', True, False),
    ('maze', 'N=21 KEYS=5 SHUT=1', False, True),
    ('sweep', 'W=5 H=4', True, True),
    ('sweep', 'W=6 H=6', True, False),
    ('sweep', 'W=5 H=5 START=1', False, False),
    ('dust', 'W=4 H=3 CHARGE=10', True, True),
    ('dust', 'W=5 H=3 CHARGE=7', False, True),
    ('jugs', '', True, True),
    ('jugs', 'A=240 B=180 C=120 GOAL=7', False, True),
]


def ask(plumb, name, definitions, order, threads='1'):
    words = [w for d in definitions.split() for w in ('-D', d)]
    done = subprocess.run(
        [plumb, 'verify', '--json', '-t', '300', '--search', order, '-j', threads] +
        words +
        [os.path.join(HERE, name + '.csp')], capture_output=True, text=True,
        check=False)
    if not done.stdout:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def until_found(answer):
    """Before breadth first goes on to find a shorter way."""
    broad, deep = (answer['visited_%s_first' % order]
                   for order in ('breadth', 'depth'))
    return broad + deep if not deep else min(broad, deep + TURN) + deep


def without_resources(answer):
    return {key: answer[key] for key in answer if key != 'resources'}


def complaints(answers, solvable):
    breadth, depth, both = answers
    for answer in answers:
        if answer['verdict'] != ('holds' if solvable else 'violated'):
            yield answer['verdict']
    better = min(breadth['visited_breadth_first'], depth['visited_depth_first'])
    if until_found(both) > TWICE * better + SPARE:
        yield 'too many states'
    memory = [a['resources']['memory_bytes'] for a in answers]
    if memory[2] > MEMORY * max(memory[:2]):
        yield 'too much memory: %s' % memory
    if both.get('shortest') and len(both['steps']) != len(breadth['steps']):
        yield 'not a shortest way'


def row(name, definitions, answers):
    breadth, depth, both = answers
    cells = ['%s %s' % (name, definitions),
             breadth['visited_breadth_first'], depth['visited_depth_first'],
             until_found(both),
             both['visited_breadth_first'] + both['visited_depth_first']]
    cells += ['%.1f' % (a['resources']['memory_bytes'] / 2**20)
              for a in answers]
    cells += ['%.2f' % a['resources']['processor_seconds'] for a in answers]
    cells += ['%d, %d, %d%s' % (*(len(a['steps']) for a in answers),
                                '' if both['shortest'] else ' *')
              if 'steps' in both else '-']
    return '| %s |' % ' | '.join(str(c) for c in cells)


def main():
    plumb, few = sys.argv[1], '--few' in sys.argv
    bad = False
    print('| puzzle | breadth | depth | both, until found | both, in all '
          '| MiB |  |  | s |  |  | steps |')
    print('|---' * 12 + '|')
    for name, definitions, solvable, quick in PUZZLES:
        if few and not quick:
            continue
        answers = [ask(plumb, name, definitions, order)
                   for order in ('breadth', 'depth', 'both')]
        print(row(name, definitions, answers), flush=True)
        several = ask(plumb, name, definitions, 'both', '3')
        if without_resources(several) != without_resources(answers[2]):
            print('%s %s: other with three threads' % (name, definitions))
            bad = True
        for complaint in complaints(answers, solvable):
            print('%s %s: %s' % (name, definitions, complaint))
            bad = True
    return bad


if __name__ == '__main__':
    sys.exit(main())
