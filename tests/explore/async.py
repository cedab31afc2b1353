#!/usr/bin/env python3
"""async.py PLUMB [-n COUNT] [-s SEED] [-v] - --async against its definition.

Small random objects: operations are a few atomic steps on two variables and a
semaphore.  Their serial histories, with --async and --nondet, and the verdict
on every interleaving, are found out here by trying everything, as the
definitions say:

- In a serial history an asynchronous operation is a process of its own, which
  may be called when the operations before it in its thread are done.  It has
  no answer.
- A complete execution needs a serial history, or a beginning of one, of all
  operations that are not asynchronous, with their answers, and any of the
  asynchronous ones; what returned before another operation was called comes
  before it, but nothing has to come after an asynchronous one.
- In an execution that is stuck each operation that waits needs such a history
  that ends with its waiting, without the others that wait.

Compared: the observation file, and the verdicts of dfs, dpor and states.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

STRATEGIES = ('dfs', 'dpor', 'states')
STUCK = '#'

# ---- objects ----

# An operation is a list of steps (what, variable, constant).  It answers what
# its last reading step read.


def random_operation(rng, blocking):
    steps = []
    for _ in range(rng.choice((1, 2, 2, 3))):
        what = rng.choice('LLSAX' + ('PV' if blocking else ''))
        steps.append((what, rng.randrange(2), rng.randint(1, 2)))
    return steps


def source_of(operations):
    lines = ['#include <plumb/object.h>', '#include <semaphore.h>',
             '#include <stdatomic.h>',
             'static atomic_int v[2];', 'static sem_t s;',
             'static void setup(void) { atomic_store(&v[0], 0);'
             ' atomic_store(&v[1], 0); sem_init(&s, 0, 1); }']
    code = {'L': 'r = atomic_load(&v[%d]); (void)%d;',
            'S': 'atomic_store(&v[%d], %d);',
            'A': 'r = atomic_fetch_add(&v[%d], %d);',
            'X': 'r = atomic_exchange(&v[%d], %d);',
            'P': 'sem_wait(&s); (void)%d; (void)%d;',
            'V': 'sem_post(&s); (void)%d; (void)%d;'}
    for name, steps in operations.items():
        lines.append('static void %s(plumb_invocation *i) { int r = 0;' % name)
        lines += ['    ' + code[w] % (x, c) for w, x, c in steps]
        lines.append('    plumb_return(i, r); }')
    lines.append('PLUMB_OBJECT(.name = "T", .setup = setup, .operations = {')
    lines += ['    { "%s", %s },' % (name, name) for name in operations]
    lines.append('});')
    return '\n'.join(lines) + '\n'


START = (0, 0, 1)


def step(state, r, what, x, c):
    """The state and what was read; None: it waits."""
    s = list(state)
    if what in 'LAX':
        r = s[x]
    if what in 'SX':
        s[x] = c
    elif what == 'A':
        s[x] += c
    elif what == 'V':
        s[2] += 1
    elif what == 'P':
        if not s[2]:
            return None
        s[2] -= 1
    return tuple(s), r


# ---- tests ----

class Operation:
    def __init__(self, name, thread, part, is_async):
        self.name, self.thread, self.part = name, thread, part
        self.is_async = is_async


class Test:
    """init, threads and final: lists of names; is_async: names."""

    def __init__(self, operations, init, threads, final, is_async, nondet):
        self.steps, self.nondet = operations, nondet
        self.init, self.threads, self.final = init, threads, final
        self.op = []
        for part, lists in ((0, [init]), (1, threads), (2, [final])):
            for t, names in enumerate(lists):
                self.op += [Operation(n, t, part, n in is_async)
                            for n in names]
        own = len(threads)
        for o in self.op:
            o.own = o.thread
            if o.is_async:
                o.own, own = own, own + 1

    def comes_before(self, a, b):
        """In the order of the test, a before b?"""
        x, y = self.op[a], self.op[b]
        return a < b and (x.part < y.part or x.thread == y.thread)

    def run(self, state, name):
        """All outcomes of it alone: (state or STUCK, answer)."""
        out, r = [], 0
        if name in self.nondet:
            out.append((state, self.nondet[name]))
        for s in self.steps[name]:
            after = step(state, r, *s)
            if after is None:
                return out + [(STUCK, None)]
            state, r = after
        return out + [(state, r)]


# ---- serial histories ----

def serial_histories(test):
    """Maximal ones: tuples of (operation, answer); no answer: None."""
    found = set()

    def may_be_called(op, done):
        return op not in done and all(
            k in done for k in range(op)
            if test.comes_before(k, op) and not test.op[k].is_async)

    def go_on(state, done, path):
        ready = [op for op in range(len(test.op)) if may_be_called(op, done)]
        if not ready:
            found.add(path)
        for op in ready:
            o = test.op[op]
            for after, answer in test.run(state, o.name):
                if after == STUCK:
                    found.add(path + ((op, STUCK),))
                else:
                    go_on(after, done | {op},
                          path + ((op, None if o.is_async else answer),))

    go_on(START, frozenset(), ())
    return found


def is_nondeterministic(test, histories):
    """Do two differ first in an answer that is not allowed anywhere?"""
    outcomes = {}
    for h in histories:
        for i, (op, answer) in enumerate(h):
            if answer != test.nondet.get(test.op[op].name, ()):
                outcomes.setdefault((h[:i], op), set()).add(answer)
    return any(len(answers) > 1 for answers in outcomes.values())


# ---- executions ----

def executions(test):
    """All ends of interleavings: (events, who waits); an event is a call,
    (op,), or a return, (op, answer)."""
    order = [[i for i, o in enumerate(test.op) if o.part == 1 and
              o.thread == t] for t in range(len(test.threads))]
    seen = set()

    def run_alone(state, events, part):
        for op, o in enumerate(test.op):
            if o.part != part:
                continue
            r = 0
            for s in test.steps[o.name]:
                after = step(state, r, *s)
                if after is None:
                    return None, events + ((op,),), op
                state, r = after
            events += ((op,), (op, r))
        return state, events, None

    def go_on(state, pc, events):
        if (state, pc, events) in seen:
            return
        seen.add((state, pc, events))
        waiting, moved = [], False
        for t, (k, n, r) in enumerate(pc):
            if k == len(order[t]):
                continue
            op = order[t][k]
            steps = test.steps[test.op[op].name]
            after = step(state, r, *steps[n])
            if after is None:
                waiting.append((op, n))
                continue
            moved = True
            more = ((op,),) if n == 0 else ()
            at = (k, n + 1, after[1])
            if n + 1 == len(steps):
                more += ((op, after[1]),)
                at = (k + 1, 0, 0)
            yield from go_on(after[0], pc[:t] + (at,) + pc[t + 1:],
                             events + more)
        if moved:
            return
        if waiting:
            events += tuple((op,) for op, n in waiting if n == 0)
            yield events, [op for op, n in waiting]
            return
        state, events, stuck = run_alone(state, events, 2)
        yield events, [] if stuck is None else [stuck]

    state, events, stuck = run_alone(START, (), 0)
    if stuck is not None:
        yield events, [stuck]
        return
    yield from go_on(state, tuple((0, 0, 0) for _ in order), events)


def precedence(test, events):
    """Pairs (a, b): a returned, and is not asynchronous, before b's call."""
    pairs, returned = set(), []
    for e in events:
        if len(e) == 1:
            pairs |= {(a, e[0]) for a in returned}
        elif not test.op[e[0]].is_async:
            returned.append(e[0])
    return pairs


def witnesses(test, histories, events, waiting):
    """Serial histories, and beginnings, that explain all that returned; with
    what each ends in: an operation that waits there, or None."""
    answer = {e[0]: e[1] for e in events if len(e) == 2}
    pairs = precedence(test, events)
    wanted = {op for op in answer if not test.op[op].is_async}
    for h in histories:
        for end in range(len(h) + 1):
            part = h[:end]
            last = None
            if part and part[-1][1] == STUCK:
                last, part = part[-1][0], part[:-1]
            names = [op for op, _ in part]
            if not wanted <= set(names) or not set(names) <= set(answer) or \
                    any(a != answer[op] for op, a in part if op in wanted):
                continue
            whole = names + ([last] if last is not None else [])
            at = {op: i for i, op in enumerate(whole)}
            if all(a in at and at[a] < at[b] for a, b in pairs if b in at):
                yield last


def judge(test, histories, events, waiting):
    ends = set(witnesses(test, histories, events, waiting))
    if not waiting:
        return 'fine' if ends else 'not linearizable'
    if all(op in ends for op in waiting):
        return 'fine'
    return 'deadlock' if ends else 'either'


def verdicts(test, histories):
    if is_nondeterministic(test, histories):
        return {'nondeterministic'}
    found = {judge(test, histories, e, w) for e, w in executions(test)}
    if found == {'fine'}:
        return {'no violation'}
    if 'either' in found:
        found |= {'not linearizable', 'deadlock'}
    return found - {'fine', 'either'}


# ---- plumb ----

def command(plumb, test, path, options):
    def calls(names):
        return ' '.join(n + '()' for n in names)
    c = [plumb, 'explore', path, '--spec', 'infer', '--preemptions', 'all',
         '--races', 'ignore', '--no-minimise',
         '--test', ' | '.join(calls(t) for t in test.threads)]
    if test.init:
        c += ['--init', calls(test.init)]
    if test.final:
        c += ['--final', calls(test.final)]
    names = sorted({o.name for o in test.op if o.is_async})
    if names:
        c += ['--async', ','.join(names)]
    if test.nondet:
        c += ['--nondet', ','.join('%s=%d' % p for p in test.nondet.items())]
    return c + options


def run(c):
    p = subprocess.run(c, stdin=subprocess.DEVNULL, capture_output=True,
                       text=True, timeout=300)
    return p.returncode, p.stdout, p.stderr


def verdict_of(plumb, test, path, strategy):
    code, out, err = run(command(plumb, test, path,
                                 ['--strategy', strategy, '--json']))
    try:
        found = json.loads(out.splitlines()[0])
    except (IndexError, ValueError):
        return 'no verdict: ' + err
    if found.get('reason') == 'no thread was ever preempted':  # none has to be
        return 'no violation'
    complete = found.get('complete', True)
    return found['verdict'] + ('' if complete else ', incomplete')


def observed(plumb, test, path, file):
    """The histories in the file, as serial_histories() has them."""
    run(command(plumb, test, path, ['--observations', file]))
    histories = set()
    for group in ET.parse(file).getroot():
        op, answer = {}, {}
        for t in group.findall('thread'):
            own = ord(t.get('id')) - ord('A')
            ops = [i for i, o in enumerate(test.op) if o.own == own]
            for k, i in enumerate((t.text or '').split()):
                op[i.rstrip('B')] = ops[k]
        for o in group.findall('op'):
            result = re.search('result="(-?[0-9]+)"', o.text or '')
            answer[o.get('id')] = int(result.group(1)) if result else None
        for h in group.findall('history'):
            path_of = []
            for word in h.text.split():
                if word == STUCK:
                    path_of[-1] = (path_of[-1][0], STUCK)
                elif word.endswith('['):
                    path_of.append((op[word[:-1]], answer[word[:-1]]))
            histories.add(tuple(path_of))
    return histories


def random_test(rng, operations):
    names = list(operations)

    def some(most):
        return [rng.choice(names) for _ in range(rng.randint(0, most))]
    threads = [[rng.choice(names) for _ in range(rng.randint(1, 2))]
               for _ in range(2)]
    is_async = rng.sample(names, rng.choice((0, 1, 1, 1, 2)))
    other = [n for n in names if n not in is_async]
    nondet = {rng.choice(other): rng.randint(0, 1)} \
        if other and rng.random() < .2 else {}
    return Test(operations, some(1), threads, some(2), is_async, nondet)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('plumb')
    parser.add_argument('-n', type=int, default=8)
    parser.add_argument('-s', type=int, default=1)
    parser.add_argument('-v', action='store_true')
    with_options = parser.parse_args()
    plumb = os.path.realpath(with_options.plumb)
    wrong, tally = 0, {}
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        os.environ['XDG_CACHE_HOME'] = work
        for seed in range(with_options.s, with_options.s + with_options.n):
            rng = random.Random(seed)
            operations = {n: random_operation(rng, rng.random() < .7)
                          for n in ('a', 'b', 'c')}
            path = 'object%d.c' % seed
            with open(path, 'w') as f:
                f.write(source_of(operations))
            for k in range(3):
                test = random_test(rng, operations)
                histories = serial_histories(test)
                wanted = verdicts(test, histories)
                seen = observed(plumb, test, path, '%d-%d.xml' % (seed, k))
                got = [verdict_of(plumb, test, path, s) for s in STRATEGIES]
                for v in wanted:
                    tally[v] = tally.get(v, 0) + 1
                if with_options.v:
                    print(seed, k, sorted(wanted), got)
                if seen == histories and set(got) <= wanted:
                    continue
                wrong += 1
                print('seed %d: %s' % (seed, ' '.join(
                    command('plumb', test, path, []))))
                print('  %s: %s' % (path, operations))
                print('  verdicts %s, not %s' % (got, sorted(wanted)))
                print('  histories too many: %s; missing: %s' %
                      (sorted(map(str, seen - histories))[:4],
                       sorted(map(str, histories - seen))[:4]))
    print('%d tests, %d wrong: %s' % (3 * with_options.n, wrong, tally))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
