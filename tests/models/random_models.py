#!/usr/bin/env python3
"""random_models.py SEED - a small model at random, the same for a seed.

Every construct of the core language, small enough to be enumerated: numbers
stay below 3, and a definition names itself only at its end, behind a step.
Sometimes the specification is the implementation with a little change, so that
both verdicts come up.
"""
import random
import sys

import containers

MOST_DEPTH = 4


class Writer:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.kinds = self.r.sample(
            ['prefix', 'if', 'ifa', 'case', 'guard', 'choice', 'internal',
             'interleave', 'sequence', 'hide', 'interrupt', 'atomic',
             'buffer', 'meet', 'indexed', 'parallel', 'external', 'waiting',
             'copies'],
            self.r.randint(3, 9)) + ['prefix', 'prefix']
        self.plain = 'parallel' in self.kinds
        self.received = 0
        self.goes_wrong = self.r.random() < .25
        # Clients with variables of their own, which reductions look for.
        self.local = not self.plain and self.r.random() < .4
        self.collects = self.r.random() < .4

    def pick(self, *options):
        return self.r.choice(options)

    # expressions; `names` are parameters that are known

    def value(self, names, constant=False):
        options = ['0', '1', '2'] + list(names) * 2
        if not constant:
            options += ['x', 'y', 'B[%s]' % self.r.choice(['0', '1'])]
            if self.local and 'i' in names:
                options += ['L[i]'] * 6
        return self.r.choice(options)

    def sum(self, names, constant=False):
        if self.collects and not constant and self.r.random() < .15:
            return '%s%%3' % containers.question(
                self.r, lambda: self.value(names))
        if self.r.random() < .6:
            return self.value(names, constant)
        return '(%s%s%s)%%3' % (self.value(names, constant),
                                self.pick('+', '-', '*'),
                                self.value(names, constant))

    def test(self, names):
        if self.collects and self.r.random() < .3:
            return '%s %s %s' % (
                containers.question(self.r, lambda: self.value(names)),
                self.pick('==', '!=', '<', '>'), self.sum(names))
        text = '%s %s %s' % (self.value(names),
                             self.pick('==', '!=', '<', '>=', '<=', '>'),
                             self.sum(names))
        if self.r.random() < .15:
            text = '%s %s %s' % (text, self.pick('&&', '||'), self.test(names))
        if self.r.random() < .1:
            text = '!(%s)' % text
        return text

    def statement(self, names):
        choice = self.r.random()
        if choice < .15:
            text = 'if (%s) { %s }' % (self.test(names), self.statement(names))
            if self.r.random() < .5:
                text += ' else { %s }' % self.statement(names)
            return text
        target = self.pick('x', 'x', 'y', 'B[0]', 'B[1]',
                           'B[%s%%2]' % self.value(names))
        if self.collects and self.r.random() < .5:
            return containers.change(self.r, lambda: self.value(names), target)
        if self.local and 'i' in names and self.r.random() < .6:
            return 'L[i] = %s' % self.sum(names)
        if self.goes_wrong and self.r.random() < .35:
            return 'B[%s] = 1' % self.r.choice(['x', 'y'] + list(names))
        if choice < .3:
            return '%s++; if (%s > 2) { %s = 0 }' % ((target,) * 3) \
                if '%' not in target else '%s = 1' % target
        return '%s = %s' % (target, self.sum(names))

    def program(self, names):
        return '{%s}' % '; '.join(self.statement(names) for _ in
                                  range(self.pick(1, 1, 2)))

    def event(self, names):
        name = self.pick('a', 'b', 'c')
        if self.plain:
            return name + self.pick('', '', '.0', '.1')
        if self.r.random() < .5:
            name += '.' + self.sum(names)
            if self.r.random() < .2:
                name += '.' + self.value(names)
        return name

    # processes; text, and how tight it binds does not matter: brackets

    def process(self, depth, names, tail):
        kind = self.r.choice(self.kinds) if depth else 'end'
        return getattr(self, kind)(depth - 1, names, tail)

    def end(self, _depth, names, tail):
        options = ['Skip', 'Skip', 'Skip', 'Stop']
        if tail is not None:
            options = ['Skip', 'Stop'] + ['P'] * 6
        choice = self.r.choice(options)
        if choice != 'P':
            return choice
        return self.name(self.r.randrange(self.definitions), names)

    def name(self, which, names):
        """A reference; data in a parallel composition have to be constant."""
        if self.local and 'i' in names:
            return 'P%d(i)' % which
        argument = self.r.choice(['0', '1'] + list(names))
        if self.local:
            return 'P%d(%s)' % (which, argument)
        if not self.plain and self.r.random() < .5:
            argument = self.sum(names)
        return 'P%d(%s)' % (which, argument)

    def earlier(self, depth, names):
        """Something that does not come back here, and ends."""
        if self.level and self.r.random() < .4:
            return self.name(self.r.randrange(self.level), names)
        return '(%s)' % self.process(depth, names, None)

    def within(self, depth, names, tail):
        """Of an operator that may come back into itself, and stays one."""
        if self.r.random() < .3:
            return self.prefix(depth, names, tail)
        return self.earlier(depth, names)

    def prefix(self, depth, names, tail):
        choice = self.r.random()
        if choice < (.5 if self.local else .25):
            head = 'tau' + (self.program(names) if self.r.random() < .8
                            else '')
        elif choice < (.6 if self.local else .5):
            head = self.event(names) + self.program(names)
        else:
            head = self.event(names)
        return '%s -> %s' % (head, self.nested(depth, names, tail))

    def nested(self, depth, names, tail):
        return '(%s)' % self.process(depth, names, tail)

    def conditional(self, word, depth, names, tail):
        text = '%s (%s) { %s }' % (word, self.test(names),
                                   self.stepping(depth, names, tail))
        if self.r.random() < .7:
            text += ' else { %s }' % self.stepping(depth, names, tail)
        return text

    def stepping(self, depth, names, tail):
        """Recursion only behind a step."""
        return self.prefix(depth, names, tail) if self.r.random() < .6 else \
            self.process(depth, names, None)

    def guard(self, depth, names, tail):
        return '[%s] (%s)' % (self.test(names),
                              self.stepping(depth, names, tail))

    def cases(self, depth, names, tail):
        parts = ['%s: %s' % (self.test(names),
                             self.nested(depth, names, tail))
                 for _ in range(self.pick(1, 2))]
        if self.r.random() < .5:
            parts.append('default: %s' % self.nested(depth, names, tail))
        return 'case { %s }' % ' '.join(parts)

    def choice(self, depth, names, tail):
        return '(%s) [] (%s)' % (self.stepping(depth, names, tail),
                                 self.stepping(depth, names, tail))

    def internal(self, depth, names, tail):
        return '(%s) <> (%s)' % (self.stepping(depth, names, tail),
                                 self.stepping(depth, names, tail))

    def external(self, depth, names, tail):
        return '(%s) [*] (%s)' % (self.stepping(depth, names, tail),
                                  self.stepping(depth, names, tail))

    def waiting(self, depth, names, tail):
        return 'ifb (%s) { %s }' % (self.test(names),
                                    self.stepping(depth, names, tail))

    def copies(self, depth, names, _tail):
        count = self.pick(2, 2, 3)
        if names and self.r.random() < .3:
            count = self.r.choice(names) + self.pick('', '', '+1')
        return '(|||{%s} @ %s)' % (count, self.earlier(min(depth, 2), names))

    def interleave(self, depth, names, _tail):
        return '(%s) ||| (%s)' % (self.earlier(depth, names),
                                  self.earlier(depth, names))

    def parallel(self, depth, names, _tail):
        return '(%s) || (%s)' % (self.earlier(depth, names),
                                 self.earlier(depth, names))

    def sequence(self, depth, names, tail):
        return '(%s); (%s)' % (self.earlier(depth, names),
                               self.stepping(depth, names, tail))

    def hide(self, depth, names, tail):
        return '(%s) \\ {%s}' % (self.within(depth, names, tail), ', '.join(
            self.hidden(names) for _ in range(self.pick(1, 2))))

    def hidden(self, names):
        name = self.pick('a', 'b', 'c')
        if self.r.random() < .3 and {'buffer', 'meet'} & set(self.kinds):
            return self.message_hidden(names)
        if names and self.r.random() < .3:
            return 'h:{%s} @ %s.h' % (self.range(names), name)
        return name + self.pick('', '.0', '.1')

    def message_hidden(self, names):
        channel = self.pick('d', 'd', 'm')
        choice = self.r.random()
        if choice < .4:
            return channel
        sign = self.pick('!', '?', '!', '?', '.' if channel == 'm' else '!')
        if names and choice < .6:
            return 'h:{%s} @ %s%sh' % (self.range(names), channel, sign)
        return channel + sign + self.pick('0', '1', '2', '1.0')

    def interrupt(self, depth, names, tail):
        return '(%s) interrupt (%s)' % (self.earlier(depth, names),
                                        self.stepping(depth, names, tail))

    def atomic(self, depth, names, tail):
        return 'atomic { %s }' % self.within(depth, names, tail)

    def message(self, channel, depth, names, tail):
        if self.r.random() < .5:
            more = self.r.random() < .15 and '.%s' % self.value(names) or ''
            return '%s!%s%s -> %s' % (channel, self.sum(names), more,
                                      self.nested(depth, names, tail))
        self.received += 1
        name = 'r%d' % self.received
        test = self.r.random() < .2 and '[%s < 2]' % name or ''
        if self.r.random() < .2:
            return '%s?%s -> %s' % (channel, self.value(names, True),
                                    self.nested(depth, names, tail))
        known = [] if self.plain else [name]
        more = self.r.random() < .15 and '.s%d' % self.received or ''
        return '%s?%s%s%s -> %s' % (channel, test, name, more, self.nested(
            depth, list(names) + known, tail))

    def buffer(self, depth, names, tail):
        return self.message('d', depth, names, tail)

    def meet(self, depth, names, tail):
        return self.message('m', depth, names, tail)

    def range(self, names):
        """Values; sometimes none, if they are of something that is known."""
        if not names or self.r.random() < .4:
            return '0..1'
        name = self.r.choice(names)
        return self.pick('0..%s', '%s..1', '%s+1..2', '0,%s', '%s', '1..%s',
                         '0..1-%s', '2-%s..2') % name

    def indexed(self, depth, names, _tail):
        sign = self.pick('|||', '[]', '<>')
        if self.r.random() < .2:
            sign = '||' if self.plain else '[*]'
        names, ranges = list(names), []
        for _ in range(self.pick(1, 1, 1, 2)):
            self.received += 1
            ranges.append('k%d:{%s}' % (self.received, self.range(names)))
            names.append('k%d' % self.received)
        return '(%s %s @ (%s))' % (sign, '; '.join(ranges),
                                   self.prefix(depth, names, None))

    # a model

    def definition(self, level):
        self.level = level
        return 'P%d(i) = %s;' % (level, self.stepping(
            self.r.randint(2, MOST_DEPTH), ['i'], True))

    def system(self, name):
        parts = [self.name(self.r.randrange(self.definitions), [])
                 for _ in range(self.pick(1, 2, 2, 2, 3))]
        sign = ' || ' if self.plain and self.r.random() < .7 else ' ||| '
        text = sign.join(parts)
        if self.local:
            text = '||| i:{0..%s} @ P%d(i)' % (
                self.pick(1, 1, 2), self.r.randrange(self.definitions))
        if self.r.random() < .3:
            text = '(%s) \\ {%s}' % (text, ', '.join(
                self.r.sample(['a', 'b', 'c', 'a.0', 'b.1', 'c.0', 'd', 'm',
                               'd!1', 'd?1', 'm.1'], 2)))
        return '%s() = %s;' % (name, text)

    def model(self):
        self.definitions = self.r.randint(1, 4)
        text = ['var x = %s;' % self.pick(0, 1), 'var y;',
                'var B = [%s, 0];' % self.pick(0, 1), 'var L[3];',
                'channel d %s;' % self.pick(1, 2), 'channel m 0;',
                containers.DECLARED * self.collects,
                '#define never (x == 77);', '#define goal (%s);' %
                self.test([])]
        text += [self.definition(level) for level in range(self.definitions)]
        text.append(self.system('S'))
        self.level = 0
        spec = self.system('T')
        if self.r.random() < .5:
            spec = text[-1].replace('S()', 'T()')
            spec = self.r.choice([
                spec, 'T() = S() [] %s -> Skip;' % self.event([]),
                'T() = S() ||| S();', 'T() = (S() <> Skip);',
                'T() = S() \\ {a, b};', 'T() = tau -> S();'])
        text.append(spec)
        for what in ('S() reaches never', 'T() reaches never',
                     'S() deadlockfree', 'S() nonterminating',
                     'S() divergencefree', 'S() deterministic',
                     'S() reaches goal', 'S() refines T()',
                     'S() refines<F> T()', 'S() refines<FD> T()',
                     'T() refines S()', 'T() refines<F> S()',
                     'T() refines<FD> S()', 'S() = T()'):
            text.append('#assert %s;' % what)
        return '\n'.join(text) + '\n'


class Clients(Writer):
    """Clients that differ in their number, mostly used as no more than a name;
    and sometimes processes that do not differ at all."""

    def __init__(self, seed):
        super().__init__(seed)
        self.kinds = self.r.sample(
            ['if', 'ifa', 'case', 'guard', 'choice', 'internal', 'sequence',
             'hide', 'interrupt', 'atomic', 'external', 'waiting',
             'indexed'],
            self.r.randint(2, 5)) + ['prefix'] * 4
        self.plain = self.goes_wrong = self.collects = False
        self.local = True
        self.links = self.r.random() < .5
        self.boxes = self.r.random() < .3  # a queue for each, and a set
        self.slips = self.r.random() < .15  # a name is taken as a number

    def value(self, names, constant=False):
        if self.slips and self.r.random() < .2:
            return 'i'
        options = ['0', '1'] + [n for n in names if n != 'i']
        if not constant:
            options += ['x', 'L[i]', 'L[i]'] if 'i' in names else ['x']
            options += ['M[i]'] if 'i' in names and self.links else []
        return self.r.choice(options)

    def range(self, names):
        slips = self.r.random() < .1  # how many depends on who it is
        return super().range(
            names if slips else [n for n in names if n != 'i'])

    def who(self, names):
        options = ['-1'] + (['i', 'i', 'K[i]'] if 'i' in names else [])
        return self.r.choice(options + ['o'])

    def test(self, names):
        if self.links and self.r.random() < .5:
            return '%s %s %s' % (self.pick('o', 'o', 'K[i]'),
                                 self.pick('==', '!='), self.who(names))
        return '%s %s %s' % (self.pick('x', 'L[i]'),
                             self.pick('==', '!=', '<'), self.value(names))

    def statement(self, names):
        if self.r.random() < .15:
            return 'if (%s) { %s }' % (self.test(names),
                                       self.statement(names))
        if self.boxes and 'i' in names and self.r.random() < .4:
            return self.pick(
                'if (qq[i].Count() < 2) { qq[i].Enqueue(%s) }',
                'if (qq[i].Contains(%s)) { x = qq[i].Dequeue() }',
                'L[i] = qs.Add(%s)', 'qs.Add(%s)', 'qs.Remove(%s)',
                'if (qq[i].Count() > %s) { L[i] = qq[i].Last() %% 2 }',
                'if (%s == 0) { qq[i] = new Queue() }') % self.value(names)
        if self.links and self.r.random() < .5:
            return '%s = %s' % (self.pick('o', 'K[i]'), self.who(names))
        if self.links and self.r.random() < .2:
            return 'if (o != -1) { L[o] = %s }' % self.value(names)
        target = self.pick('x', 'L[i]', 'L[i]', 'M[i]')
        return '%s = %s' % (target, self.value(names))

    def event(self, names):
        name = self.pick('a', 'b', 'c')
        if name == 'c':
            return 'c' + self.pick('', '.%s' % self.value(names))
        name += '.i' if 'i' in names else '.7'
        return name + (self.links and self.r.random() < .3 and '.o' or '')

    def hide(self, depth, names, tail):
        return '(%s) \\ {c, i:{0..%d} @ a.i}' % (
            self.within(depth, names, tail), self.clients - 1)

    def name(self, which, names):
        return 'P%d(i)' % which

    def system(self, name):
        text = '||| i:{0..%d} @ P%d(i)' % (self.clients - 1,
                                           self.r.randrange(self.definitions))
        if self.alike:
            text = '(%s)%s' % (text, ' ||| Q()' * self.alike)
        if self.r.random() < .3:
            text = '(%s) \\ {c, i:{0..%d} @ %s.i}' % (
                text, self.clients - 1, self.pick('a', 'b'))
        return '%s() = %s;' % (name, text)

    def model(self):
        self.definitions = self.r.randint(1, 3)
        self.clients = self.pick(2, 3, 3)
        self.alike = self.pick(0, 0, 0, 2)
        text = ['var x; var L[3]; var o = -1; var K = [-1, -1, -1]; '
                'var M[3];', 'var<Queue> qq[3]; var<Set> qs;' * self.boxes,
                'Q() = c -> tau{x = 1} -> c.1 -> Skip;']
        for level in range(self.definitions):
            self.level = level
            text.append('P%d(i) = %s;' % (level, self.stepping(
                self.r.randint(1, 3), ['i'], True)))
        text.append(self.system('S'))
        spec = self.system('T')
        if self.r.random() < .6:
            spec = text[-1].replace('S()', 'T()')
            spec = self.r.choice([
                spec, spec, 'T() = S() [] c.5 -> Skip;', 'T() = tau -> S();',
                'T() = S() ||| S();', 'T() = (S() <> Skip);'])
        text.append(spec)
        for what in ('S() deadlockfree', 'S() nonterminating',
                     'S() divergencefree', 'S() refines T()',
                     'T() refines S()', 'S() refines<FD> T()',
                     'S() = T()'):
            text.append('#assert %s;' % what)
        return '\n'.join(text) + '\n'


# Words of Python that are words of the language, too.
setattr(Writer, 'if', lambda self, *a: self.conditional('if', *a))
setattr(Writer, 'ifa', lambda self, *a: self.conditional('ifa', *a))
setattr(Writer, 'case', Writer.cases)


def model(seed):
    return Writer(seed).model()


def clients(seed):
    return Clients(seed).model()


if __name__ == '__main__':
    sys.stdout.write((clients if sys.argv[2:] == ['clients'] else model)(
        int(sys.argv[1])))
