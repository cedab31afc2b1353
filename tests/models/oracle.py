#!/usr/bin/env python3
"""oracle.py MODEL.csp - what a small model does, by writing its rules down.

Written from docs/modelling-language.md alone, for comparing: its own reader of the core
of the language, and a plain enumeration of states.  Slow, and meant to be
obviously right.

A state is (values of variables, messages in channels, term).  Terms and
expressions are nested tuples, so equal terms are equal states.  A definition
that is named with constant arguments is the same state as its body, and
`Skip; Q` the same as `Q`.
"""
import re
import sys
from collections import deque

import containers

TOKEN = re.compile(r'''\s+|//[^\n]*|/\*.*?\*/
    |(?P<number>\d+)|(?P<name>[A-Za-z_]\w*)
    |(?P<sign>\|\|\||\|\||\[\]|\[\*\]|<>|->|\.\.|==|!=|<=|>=|&&|\+\+|--
        |[-+*/%<>!=?.,:;@#(){}\[\]\\&|])''', re.X | re.S)


OPERANDS = {'||': 'parallel'}  # `||` is an expression's


class Unbounded(Exception):
    """More states than are worth it."""


class Wrong(Exception):
    """The model goes wrong when it runs, or cannot be read."""


def scan(text):
    at, out = 0, []
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise Wrong('what is this: %r' % text[at:at + 20])
        at = m.end()
        if m.lastgroup:
            out.append(m.group())
    return out + ['']


# ---- expressions ----

def remainder(a, b):
    return a - abs(b) * (a // abs(b))


def quotient(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


OPERATORS = {
    '+': lambda a, b: a + b, '-': lambda a, b: a - b,
    '*': lambda a, b: a * b, '/': quotient, '%': remainder,
    '==': lambda a, b: int(a == b), '!=': lambda a, b: int(a != b),
    '<': lambda a, b: int(a < b), '>': lambda a, b: int(a > b),
    '<=': lambda a, b: int(a <= b), '>=': lambda a, b: int(a >= b),
}
LEVELS = [['||'], ['&&'], ['==', '!='], ['<', '>', '<=', '>='], ['+', '-'],
          ['*', '/', '%']]


def evaluate(e, env):
    kind = e[0]
    if kind == 'n':
        return e[1]
    if kind == 'v':
        return env[e[1]]
    if kind == 'a':
        index = evaluate(e[2], env)
        array = env[e[1]]
        if not 0 <= index < len(array):
            raise Wrong('index out of bounds')
        return array[index]
    if kind == 'method':
        return call(e, env)[0]
    if kind == 'new':
        return ()
    if kind == 'not':
        return int(not evaluate(e[1], env))
    if kind == 'neg':
        return -evaluate(e[1], env)
    if kind == '&&':
        return int(bool(evaluate(e[1], env)) and bool(evaluate(e[2], env)))
    if kind == '||':
        return int(bool(evaluate(e[1], env)) or bool(evaluate(e[2], env)))
    if kind in '/%' and evaluate(e[2], env) == 0:
        raise Wrong('division by zero')
    return OPERATORS[kind](evaluate(e[1], env), evaluate(e[2], env))


def call(e, env):
    """What a method answers, and the collection after it."""
    kind, name, content = e[1], e[2], evaluate(e[3], env)
    try:
        return containers.call(kind, name, content,
                               [evaluate(a, env) for a in e[4:]])
    except containers.Missing:
        raise Wrong('no such element') from None


def is_constant(e):
    if e[0] == 'n':
        return True
    if e[0] in ('v', 'a', 'method', 'new'):
        return False
    return all(is_constant(part) for part in e[1:])


def is_expression(t):
    return t[0] in OPERATORS or t[0] in ('n', 'v', 'a', 'not', 'neg', '&&',
                                         '||', 'method', 'new')


def substitute(t, env):
    """Put values for names, everywhere; constant parts become numbers, and
    of a statement that is decided its branch is left."""
    if t and t[0] == 'v':
        return env.get(t[1], t)
    out = []
    for part in t:
        if isinstance(part, tuple):
            part = substitute(part, env)
            if part and part[0] == 'when' and is_constant(part[1]):
                out += part[2 if evaluate(part[1], {}) else 3]
                continue
        out.append(part)
    t = tuple(out)
    if t and t[0] in ('index', 'times', 'hide'):
        return written_out(t)
    if not t or t[0] == 'n' or not isinstance(t[0], str) or \
            not is_expression(t):
        return t
    if is_constant(t) or (t[0] in ('&&', '||') and is_constant(t[1]) and
                          (t[0] == '||') == bool(evaluate(t[1], {}))):
        return ('n', evaluate(t, {}))
    return t


def values_of(ranges, env=()):
    """All combinations of values, as environments; None if a bound is not
    known.  A range may look at the ones before it."""
    if not ranges:
        return [{}]
    (name, spans), out = substitute(ranges[0], dict(env)), []
    if not all(is_constant(e) for span in spans for e in span):
        return None
    for low, high in spans:
        for value in range(low[1], high[1] + 1):
            here = {name: ('n', value)}
            rest = values_of(ranges[1:], dict(env, **here))
            if rest is None:
                return None
            out += [dict(here, **more) for more in rest]
    return out


def written_out(t):
    """Indices and copies, as soon as it is known how many."""
    if t[0] == 'times':
        if not is_constant(t[1]):
            return t
        if t[1][1] < 0:
            raise Wrong('fewer copies than none')
        return ('copies',) + (t[2],) * t[1][1] if t[1][1] else ('Skip',)
    if t[0] == 'hide':
        events = []
        for name, data, ranges in t[2]:
            known = values_of(ranges)
            events += [(name, data, ranges)] if known is None else [
                (name, substitute(data, env), ()) for env in known]
        return ('hide', t[1], tuple(events)) + t[3:]
    _, sign, ranges, term = t
    known = values_of(ranges)
    if known is None:
        return t
    parts = tuple(substitute(term, env) for env in known)
    if not parts:
        return ('Skip',) if sign in ('|||', '||') else ('Stop',)
    return parts[0] if len(parts) == 1 else (OPERANDS.get(sign, sign),) + parts


# ---- reading ----

# ---- hiding what is hidden already ----

def hides(t):
    """The events a `\\` hides, as texts; the top of a system stays as it is."""
    if t[0] != 'hide' or t[-1] == 'top':
        return None
    return {text_of(name, data, {}) for name, data, _ in t[2]}


def is_in(label, names):
    """Of a set that has 'd*' are all events of channel d."""
    return label in names or (
        label not in ('tau', 'tick') and
        re.match(r'\w*', label).group() + '*' in names)


def within(names, others):
    return all(is_in(name, others) for name in names)


def below(t, names):
    """t without the `\\` it begins with that hide none but these."""
    own = hides(t)
    if own is None:
        return t
    rest = below(t[1], names)
    return rest if within(own, names) else ('hide', rest, t[2])


def hidden_once(t):
    names, inner = hides(t), t[1]
    if names is None:
        return t
    while hides(inner) is not None:
        if within(names, hides(inner)):
            return t[1]
        inner = inner[1]
    return ('hide', below(t[1], names), t[2])


def shape(t):
    """`|||`, `||` and `\\` at the top are never left."""
    if t[0] == 'hide':
        return ('hide', shape(t[1]), t[2], 'top')
    if t[0] == '|||':
        return ('|||',) + tuple(shape(p) for p in t[1:])
    if t[0] == 'sync':
        return ('sync', tuple(shape(p) for p in t[1]), t[2])
    return t


class Model:
    def __init__(self, text):
        self.tokens, self.at = scan(text), 0
        self.constants, self.values, self.channels = {}, {}, {}
        self.kinds = {}  # of collections
        self.definitions, self.assertions = {}, []
        while self.peek():
            self.declaration()
        self.names = sorted(self.values)

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self, *wanted):
        token = self.peek()
        if wanted and token not in wanted:
            raise Wrong('%r where %r is wanted, before %r' %
                        (token, wanted, self.tokens[self.at:self.at + 8]))
        self.at += 1
        return token

    def has(self, token):
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def listed(self, item, close):
        out = []
        while not self.has(close):
            out.append(item())
            if self.peek() != close:
                self.take(',')
        return out

    # declarations

    def declaration(self):
        if self.has('#'):
            word = self.take()
            if word == 'define':
                name = self.take()
                self.constants[name] = substitute(self.expression(), {})
            elif word == 'assert':
                self.assertion()
            else:
                raise Wrong('#' + word)
        elif self.has('var'):
            self.variable()
        elif self.has('channel'):
            name = self.take()
            self.channels[name] = self.constant()
        else:
            self.definition()
            return
        self.take(';')

    def constant(self):
        return evaluate(self.expression(), {})

    def variable(self):
        kind = None
        if self.has('<'):
            kind = self.take()
            self.take('>')
        name = self.take()
        first = () if kind else 0
        self.kinds[name] = kind
        if self.has('['):
            self.values[name] = (first,) * self.constant()
            self.take(']')
        else:
            self.values[name] = first
        if self.has('='):
            if kind:
                self.expression()
            elif self.has('['):
                self.values[name] = tuple(self.listed(self.constant, ']'))
            else:
                self.values[name] = self.constant()

    def definition(self):
        name, parameters = self.take(), []
        if self.has('('):
            parameters = self.listed(self.take, ')')
        self.take('=')
        self.definitions[name] = (tuple(parameters), self.process())
        self.take(';')

    def assertion(self):
        term = self.reference(self.take())
        kind = self.take()
        other = None
        if kind == 'refines':
            if self.has('<'):
                kind += '<' + self.take() + self.take('>')
            other = self.reference(self.take())
        elif kind == '=':  # equivalence.py decides it
            other = self.reference(self.take())
        elif kind == 'reaches':
            other = self.expression()
        elif self.has('('):  # progress.py decides it
            self.take('clients')
            other = self.constant()
            self.take(')')
        self.assertions.append((term, kind, other))

    # expressions

    def expression(self, level=0):
        if level == len(LEVELS):
            return self.unary()
        left = self.expression(level + 1)
        while self.peek() in LEVELS[level]:
            sign = self.take()
            left = substitute((sign, left, self.expression(level + 1)), {})
        return left

    def unary(self):
        if self.has('!'):
            return substitute(('not', self.unary()), {})
        if self.has('-'):
            return substitute(('neg', self.unary()), {})
        if self.has('('):
            e = self.expression()
            self.take(')')
            return e
        token = self.take()
        if token.isdigit():
            return ('n', int(token))
        if token in ('true', 'false'):
            return ('n', int(token == 'true'))
        if token == 'new':
            kind = self.take()
            self.take('(')
            self.take(')')
            return ('new', kind)
        named = self.constants.get(token, ('v', token))
        if self.has('['):
            named = ('a', token, self.expression())
            self.take(']')
        return self.method(named, self.kinds.get(token))

    def method(self, named, kind):
        if not kind or self.peek() != '.' or self.peek(2) != '(':
            return named
        self.take('.')
        name = self.take()
        self.take('(')
        return ('method', kind, name, named) + tuple(
            self.listed(self.expression, ')'))

    # programs

    def program(self):
        out = []
        while not self.has('}'):
            if not self.has(';'):
                out.append(self.statement())
        return tuple(out)

    def statement(self):
        if self.has('if'):
            self.take('(')
            test = self.expression()
            self.take(')')
            yes, no = self.block(), ()
            if self.has('else'):
                no = self.block()
            return ('when', test, yes, no)
        target = self.unary()
        if target[0] == 'method':
            return ('call', target, None)
        if self.has('++'):
            return ('=', target, ('+', target, ('n', 1)))
        if self.has('--'):
            return ('=', target, ('-', target, ('n', 1)))
        self.take('=')
        value = self.expression()
        if value[0] == 'method' and self.peek() in (';', '}'):
            return ('call', value, target)
        return ('=', target, value)

    def block(self):
        if self.has('{'):
            return self.program()
        out = (self.statement(),)
        self.has(';')
        return out

    # processes, from the loosest

    def process(self, level=0):
        order = ['|||', '||', '[]', '<>', '[*]', 'interrupt']
        if level == len(order):
            return self.hiding()
        sign = order[level]
        parts = [self.process(level + 1)]
        while self.has(sign):
            parts.append(self.process(level + 1))
        if len(parts) == 1:
            return parts[0]
        if sign == 'interrupt':
            term = parts[0]
            for part in parts[1:]:
                term = (sign, term, part)
            return term
        return (OPERANDS.get(sign, sign),) + tuple(parts)

    def hiding(self):
        term = self.sequence()
        while self.has('\\'):
            self.take('{')
            term = written_out(
                ('hide', term, tuple(self.listed(self.events, '}'))))
        return term

    def events(self):
        """An event, or one for each value of an index."""
        ranges = self.ranges() if self.peek(1) == ':' else ()
        return (self.message_event() or self.event()) + (ranges,)

    def message_event(self):
        """c!1 and c?1, which are c.1 without a buffer; c is all of them."""
        name, sign = self.peek(), self.peek(1)
        if name not in self.channels or sign == '.':
            return None
        self.take()
        if not (self.has('!') or self.has('?')):
            return (name + '*', ())
        data = [self.expression(4)]
        while self.has('.'):
            data.append(self.expression(4))
        return (name + (sign if self.channels[name] else ''), tuple(data))

    def event(self):
        name, data = self.take(), []
        while self.has('.'):
            data.append(self.expression(4))
        return (name, tuple(data))

    def ends_definition(self):
        """Does a declaration begin behind this `;`?"""
        token, at = self.peek(1), 3
        if token in ('', '#', 'var', 'channel'):
            return True
        if not re.match(r'[A-Za-z_]', token):
            return False
        if self.peek(2) == '(':
            depth = 1
            while depth and self.peek(at):
                depth += {'(': 1, ')': -1}.get(self.peek(at), 0)
                at += 1
            return self.peek(at) == '='
        return self.peek(2) == '='

    def sequence(self):
        parts = [self.guarded()]
        while self.peek() == ';' and not self.ends_definition():
            self.take()
            parts.append(self.guarded())
        term = parts.pop()
        while parts:
            term = (';', parts.pop(), term)
        return term

    def guarded(self):
        if self.peek() == '[':
            self.take()
            test = self.expression()
            self.take(']')
            return ('ifa', test, self.guarded(), ('Stop',))
        return self.atom()

    def indexed(self, sign):
        if self.has('{'):
            count = self.bound()
            self.take('}')
            self.take('@')
            return written_out(('times', count, self.process()))
        ranges = self.ranges()
        return written_out(('index', sign, ranges, self.process()))

    def bound(self):
        return substitute(self.expression(4), {})

    def ranges(self):
        """Names, each with spans: the least and the largest value."""
        ranges = [self.range()]
        while self.has(';'):
            ranges.append(self.range())
        self.take('@')
        return tuple(ranges)

    def range(self):
        name = self.take()
        self.take(':')
        self.take('{')
        return name, tuple(self.listed(self.span, '}'))

    def span(self):
        low = self.bound()
        return low, self.bound() if self.has('..') else low

    def atom(self):
        token = self.peek()
        if token in ('|||', '||', '[]', '<>', '[*]'):
            return self.indexed(self.take())
        if token == '(':
            self.take()
            term = self.process()
            self.take(')')
            return term
        if token == '{':
            return self.prefix()
        self.take()
        if token in ('Stop', 'Skip'):
            return (token,)
        if token in ('if', 'ifa'):
            return self.conditional(token)
        if token == 'ifb':
            self.take('(')
            test = self.expression()
            self.take(')')
            return ('ifb', test, self.braced())
        if token == 'case':
            return self.cases()
        if token == 'atomic':
            return ('atomic', self.braced())
        if token in self.channels and self.peek() in '!?':
            return self.message(token)
        self.at -= 1
        mark = self.at
        if token != 'tau':
            try:
                self.event()
            except Wrong:
                self.at = mark
        if token == 'tau' or self.peek() in ('->', '{'):
            self.at = mark
            return self.prefix()
        self.at = mark
        return self.reference(self.take())

    def reference(self, name):
        arguments = self.listed(self.expression, ')') if self.has('(') else []
        return ('ref', name, tuple(arguments))

    def braced(self):
        self.take('{')
        term = self.process()
        self.take('}')
        return term

    def conditional(self, word):
        self.take('(')
        test = self.expression()
        self.take(')')
        yes, no = self.braced(), ('Skip',)
        if self.has('else'):
            no = self.atom() if self.peek() in ('if', 'ifa') else self.braced()
        return (word, test, yes, no)

    def cases(self):
        self.take('{')
        parts, term = [], ('Skip',)
        while not self.has('}'):
            if self.has('default'):
                self.take(':')
                term = self.process()
                continue
            test = self.expression()
            self.take(':')
            parts.append((test, self.process()))
        return ('case', tuple(parts), term)

    def prefix(self):
        """An event, or a hidden step; with a program or without."""
        if self.peek() == '{':
            event = ('tau', ())
        elif self.peek() == 'tau':
            self.take()
            event = ('tau', ())
        else:
            event = self.event()
        program = self.program() if self.has('{') else None
        self.take('->')
        return ('->', event, program, self.guarded())

    def message(self, channel):
        sign, test = self.take(), ('n', 1)
        if sign == '?' and self.has('['):
            test = self.expression()
            self.take(']')
        data = [self.expression(4)]
        while self.has('.'):
            data.append(self.expression(4))
        self.take('->')
        return (sign, channel, test, tuple(data), self.guarded())

    # ---- terms ----

    def normal(self, t, depth=0):
        if depth > 200:
            raise Wrong('recursion without a step')
        kind = t[0]
        if kind == 'ref' and all(is_constant(e) for e in t[2]):
            return self.normal(self.unfold(t, {}), depth + 1)
        if kind == ';':
            left = self.normal(t[1], depth + 1)
            return self.normal(t[2], depth + 1) if left == ('Skip',) else \
                (';', left, t[2])
        if kind == 'copies':
            return (kind,) + tuple(sorted(
                (self.normal(p, depth + 1) for p in t[1:]), key=repr))
        if kind in ('|||', '[]', '[*]'):
            return (kind,) + tuple(self.normal(p, depth + 1) for p in t[1:])
        if kind == 'parallel':
            return ('sync', tuple(self.normal(p, depth + 1) for p in t[1:]),
                    tuple(self.alphabet(p) for p in t[1:]))
        if kind == 'hide':
            return hidden_once((kind, self.normal(t[1], depth + 1)) + t[2:])
        if kind == 'atomic':
            inner = self.normal(t[1], depth + 1)
            plain = inner[0] in ('Skip', 'Stop', 'atomic')
            return inner if plain else (kind, inner)
        if kind == 'interrupt':
            return (kind, self.normal(t[1], depth + 1),
                    self.normal(t[2], depth + 1))
        return t

    def unfold(self, t, env):
        parameters, body = self.definitions[t[1]]
        if len(parameters) != len(t[2]):
            raise Wrong('arguments of ' + t[1])
        values = [('n', evaluate(e, env)) for e in t[2]]
        return substitute(body, dict(zip(parameters, values)))

    def alphabet(self, t, seen=None):
        """Events in the text without a program, but for branches that are
        never taken.  Only for constant data."""
        seen = set() if seen is None else seen
        kind, out = t[0], frozenset()
        if kind == '->':
            (name, data), program = t[1], t[2]
            if program is None and name != 'tau':
                if not all(is_constant(e) for e in data):
                    raise Wrong('an alphabet that is not constant')
                out = frozenset([text_of(name, data, {})])
            return out | self.alphabet(t[3], seen)
        if kind in ('index', 'times') or \
                (kind == 'hide' and any(ranges for _, _, ranges in t[2])):
            raise Wrong('an alphabet that is not constant')
        if kind == 'hide':
            # What is hidden here may be seen elsewhere.
            names = {text_of(name, data, {}) for name, data, _ in t[2]}
            return frozenset(label for label in
                             self.alphabet(t[1], set(seen))
                             if not is_in(label, names))
        if kind == 'ref':
            if t in seen:
                return out
            seen.add(t)
            if not all(is_constant(e) for e in t[2]):
                raise Wrong('an alphabet that is not constant')
            return self.alphabet(self.unfold(t, {}), seen)
        if kind == 'case':
            for test, part in t[1]:
                if not is_constant(test) or evaluate(test, {}):
                    out |= self.alphabet(part, seen)
                if is_constant(test) and evaluate(test, {}):
                    return out
            return out | self.alphabet(t[2], seen)
        if kind in ('if', 'ifa'):
            if is_constant(t[1]):
                return self.alphabet(t[2 if evaluate(t[1], {}) else 3], seen)
            return self.alphabet(t[2], seen) | self.alphabet(t[3], seen)
        if kind == 'ifb':
            return out if t[1] == ('n', 0) else self.alphabet(t[2], seen)
        if kind in '!?':
            return self.alphabet(t[4], seen)
        for part in t[1:]:
            if isinstance(part, tuple) and part:
                out |= self.alphabet(part, seen)
        return out

    # ---- steps ----

    def environment(self, values):
        return dict(zip(self.names, values))

    def run(self, program, env):
        for s in program:
            if s[0] == 'when':
                self.run(s[2] if evaluate(s[1], env) else s[3], env)
                continue
            if s[0] == 'call':
                value, after = call(s[1], env)
                self.put(s[1][3], after, env)
                if s[2]:
                    self.put(s[2], value, env)
                continue
            self.put(s[1], evaluate(s[2], env), env)

    def put(self, target, value, env):
        if target[0] == 'v':
            env[target[1]] = value
            return
        index, array = evaluate(target[2], env), list(env[target[1]])
        if not 0 <= index < len(array):
            raise Wrong('index out of bounds')
        array[index] = value
        env[target[1]] = tuple(array)

    def steps(self, shared, t):
        """All (label, shared, term, marks): what `t` can do.  Marks are
        'program' and 'atomic'.  A label that is a tuple is a half: it needs
        somebody else."""
        values, messages = shared
        env = self.environment(values)
        kind = t[0]
        if kind == 'Stop':
            return []
        if kind == 'Skip':
            return [('tick', shared, ('Stop',), frozenset())]
        if kind == 'ref':
            return self.steps(shared, self.normal(self.unfold(t, env)))
        if kind == '->':
            return [self.prefix_step(shared, t, env)]
        if kind == 'if':
            return [('tau', shared, t[2 if evaluate(t[1], env) else 3],
                     frozenset())]
        if kind == 'ifa':
            return self.steps(shared, self.normal(
                t[2 if evaluate(t[1], env) else 3]))
        if kind == 'case':
            for test, part in t[1]:
                if evaluate(test, env):
                    return [('tau', shared, part, frozenset())]
            return [('tau', shared, t[2], frozenset())]
        if kind == '[]':
            return [s for part in t[1:] for s in self.steps(shared, part)]
        if kind == 'ifb':
            return [('tau', shared, t[2], frozenset())] \
                if evaluate(t[1], env) else []
        if kind == '[*]':
            return [wrap(s, lambda p, i=i: t[:i] + (p,) + t[i + 1:])
                    if s[0] == 'tau' else s
                    for i in range(1, len(t))
                    for s in self.steps(shared, t[i])]
        if kind == 'copies':
            return self.copies_steps(shared, t[1:])
        if kind == '<>':
            return [('tau', shared, part, frozenset()) for part in t[1:]]
        if kind == ';':
            return [self.after(s, t[2]) for s in self.steps(shared, t[1])]
        if kind == 'hide':
            return self.hidden_steps(shared, t)
        if kind == 'atomic':
            return [wrap(s, lambda p: ('atomic', p), {'atomic'}, True)
                    for s in self.steps(shared, t[1])]
        if kind == 'interrupt':
            return [wrap(s, lambda p: ('interrupt', p, t[2]))
                    for s in self.steps(shared, t[1])] + [
                        wrap(s, lambda p: ('interrupt', t[1], p))
                        if s[0] == 'tau' else s
                        for s in self.steps(shared, t[2])]
        if kind in '!?':
            return self.message_steps(shared, t, env)
        if kind == '|||':
            return self.joint(shared, t[1:], [frozenset()] * len(t[1:]),
                              lambda parts: ('|||',) + parts)
        if kind == 'sync':
            return self.joint(shared, t[1], t[2],
                              lambda parts: ('sync', parts, t[2]))
        raise Wrong('a process of kind ' + kind)

    def copies_steps(self, shared, parts):
        """Equal ones are not told apart: each step once."""
        return self.joint(shared, parts, [frozenset()] * len(parts),
                          lambda done: self.normal(('copies',) + done), True)

    def prefix_step(self, shared, t, env):
        (name, data), program = t[1], t[2]
        label, marks = text_of(name, data, env), frozenset()
        if program is not None:
            marks = frozenset(['program'])
            self.run(program, env)
            shared = (tuple(env[n] for n in self.names), shared[1])
        return (label, shared, t[3], marks)

    def after(self, step, then):
        label, shared, term, marks = step
        if label == 'tick':
            return ('tau', shared, then, marks)
        return wrap(step, lambda p: (';', p, then))

    def hidden_steps(self, shared, t):
        env = self.environment(shared[0])
        names = {text_of(name, data, env) for name, data, _ in t[2]}
        out = []
        for step in self.steps(shared, t[1]):
            step = wrap(step, lambda p: ('hide', p) + t[2:], (), True)
            if isinstance(step[0], str) and is_in(step[0], names):
                step = ('tau',) + step[1:]
            out.append(step)
        return out

    def message_steps(self, shared, t, env):
        sign, channel, test, data, then = t
        values, messages = shared
        capacity, queue = self.channels[channel], dict(messages)[channel]
        if sign == '!':
            sent = tuple(evaluate(e, env) for e in data)
            if capacity == 0:
                return [(('!', channel, sent), shared, then, frozenset())]
            if len(queue) == capacity:
                return []
            return [(text_of(channel + '!', [('n', v) for v in sent], env),
                     (values, change(messages, channel, queue + (sent,))),
                     then, frozenset())]
        if capacity == 0:
            take = (lambda sent: self.received(sent, test, data, then, env))
            return [(('?', channel, take), shared, None, frozenset())]
        if not queue:
            return []
        term = self.received(queue[0], test, data, then, env)
        if term is None:
            return []
        return [(text_of(channel + '?', [('n', v) for v in queue[0]], env),
                 (values, change(messages, channel, queue[1:])), term,
                 frozenset())]

    def received(self, sent, test, data, then, env):
        """What a receiver becomes, None if it does not want this."""
        bound = {}
        if len(sent) != len(data):
            return None
        for e, value in zip(data, sent):
            if e[0] == 'v' and e[1] not in env:
                bound[e[1]] = ('n', value)
            elif evaluate(e, env) != value:
                return None
        if not evaluate(substitute(test, bound), env):
            return None
        return substitute(then, bound)

    def joint(self, shared, parts, alphabets, build, alike=False):
        steps = [self.steps(shared, part) for part in parts]
        out, ticks = [], []

        def put(i, term):
            return parts[:i] + (self.normal(term),) + parts[i + 1:]

        for i, own in enumerate(steps):
            if alike and parts[i] in parts[:i]:
                continue
            for step in own:
                label, after, term, marks = step
                if label == 'tick':
                    continue
                shares = isinstance(label, str) and label != 'tau' and \
                    'program' not in marks
                if shares and label in alphabets[i]:
                    continue
                if isinstance(label, tuple) and label[0] == '?':
                    take = label[2]
                    half = ('?', label[1],
                            lambda sent, i=i, take=take: None
                            if take(sent) is None
                            else build(put(i, take(sent))))
                    out.append((half, after, None, marks))
                else:
                    out.append((label, after, build(put(i, term)), marks))
        out += self.shared_events(shared, parts, steps, alphabets, build)
        out += self.meetings(shared, parts, steps, build, alike)
        ticks = [[s for s in own if s[0] == 'tick'] for own in steps]
        if all(ticks):
            marks = frozenset().union(*(own[0][3] for own in ticks))
            out.append(('tick', shared, ('Stop',), marks))
        return out

    def shared_events(self, shared, parts, steps, alphabets, build):
        out = []
        for label in sorted(set().union(*alphabets)):
            ways = [(parts, frozenset())]
            for i, own in enumerate(steps):
                if label not in alphabets[i]:
                    continue
                ways = [(done[:i] + (self.normal(s[2]),) + done[i + 1:],
                         marks | s[3])
                        for done, marks in ways for s in own
                        if s[0] == label and 'program' not in s[3]]
            out += [(label, shared, build(done), marks)
                    for done, marks in ways]
        return out

    def meetings(self, shared, parts, steps, build, alike):
        out, met = [], set()
        for i, senders in enumerate(steps):
            for s in senders:
                if not (isinstance(s[0], tuple) and s[0][0] == '!'):
                    continue
                for k, receivers in enumerate(steps):
                    who = (s[0], parts[i], parts[k])
                    if k == i or (alike and who in met):
                        continue
                    met.add(who)
                    for r in receivers:
                        if not isinstance(r[0], tuple) or \
                                r[0][:2] != ('?', s[0][1]):
                            continue
                        term = r[0][2](s[0][2])
                        if term is None:
                            continue
                        done = list(parts)
                        done[i], done[k] = self.normal(s[2]), self.normal(term)
                        label = text_of(s[0][1], [('n', v) for v in s[0][2]],
                                        {})
                        out.append((label, shared, build(tuple(done)),
                                    s[3] | r[3]))
        return out

    def moves(self, state):
        """(label, state) of a whole system."""
        values, messages, term = state
        all_steps = [s for s in self.steps((values, messages), term)
                     if isinstance(s[0], str)]
        if any('atomic' in s[3] for s in all_steps):
            all_steps = [s for s in all_steps if 'atomic' in s[3]]
        return [(label, shared + (self.normal(t),))
                for label, shared, t, _ in all_steps]

    def initial(self, term):
        return (tuple(self.values[n] for n in self.names),
                tuple(sorted((c, ()) for c in self.channels)),
                shape(self.normal(term)))

    def graph(self, term, most=3000):
        """Numbered states and their edges, breadth first."""
        begin = self.initial(term)
        number, edges, queue, states = {begin: 0}, [], deque([begin]), [begin]
        while queue:
            own = []
            for label, target in self.moves(queue.popleft()):
                if target not in number:
                    if len(number) == most:
                        raise Unbounded
                    number[target] = len(number)
                    states.append(target)
                    queue.append(target)
                own.append((label, number[target]))
            edges.append(own)
        return Graph(edges, states)

    # ---- assertions ----

    def decide(self, term, kind, other, most=3000):
        g = self.graph(term, most)
        if kind.startswith('refines'):
            return refines(g, self.graph(other, most), kind[7:])
        if kind == 'reaches':
            return any(evaluate(other, self.environment(s[0]))
                       for s in g.states)
        return getattr(g, kind)()


def text_of(name, data, env):
    return '.'.join([name] + [str(evaluate(e, env)) for e in data])


def change(messages, channel, queue):
    return tuple((c, queue if c == channel else q) for c, q in messages)


def wrap(step, build, marks=(), end=False):
    """The same step inside of something, which an end leaves unless `end`."""
    label, shared, term, own = step
    own = own | frozenset(marks)
    if label == 'tick' and not end:
        return (label, shared, term, own)
    if isinstance(label, tuple) and label[0] == '?':
        take = label[2]
        label = ('?', label[1], lambda sent: None if take(sent) is None
                 else build(take(sent)))
        return (label, shared, None, own)
    return (label, shared, build(term), own)


# ---- graphs ----

class Graph:
    def __init__(self, edges, states):
        self.edges, self.states = edges, states
        self.count = len(edges)
        self.transitions = sum(map(len, edges))

    def deadlockfree(self):
        """Every dead state is the end, and only that."""
        dead = {s for s in range(self.count) if not self.edges[s]}
        return 0 not in dead and not any(
            label != 'tick' and target in dead
            for own in self.edges for label, target in own)

    def nonterminating(self):
        return all(self.edges)

    def deterministic(self):
        for own in self.edges:
            to = {}
            for label, target in own:
                if to.setdefault(label, target) != target:
                    return False
        return True

    def divergencefree(self):
        return not any(self.diverging())

    def diverging(self):
        """Of each state: can it go on for ever without being seen?"""
        taus = [[t for label, t in own if label == 'tau']
                for own in self.edges]
        ends = [False] * self.count
        more = True
        while more:
            more = False
            for s in range(self.count):
                if not ends[s] and all(ends[t] for t in taus[s]):
                    ends[s] = more = True
        return [not e for e in ends]

    def closure(self, states):
        out, todo = set(states), list(states)
        while todo:
            for label, target in self.edges[todo.pop()]:
                if label == 'tau' and target not in out:
                    out.add(target)
                    todo.append(target)
        return frozenset(out)

    def after(self, states, label):
        return self.closure({t for s in states for a, t in self.edges[s]
                             if a == label})

    def offers(self, s):
        return frozenset(label for label, _ in self.edges[s])

    def traces(self, most):
        """All sequences of visible events up to a length."""
        out, front = {()}, {(): self.closure([0])}
        for _ in range(most):
            new = {}
            for trace, states in front.items():
                for label in {a for s in states for a, _ in self.edges[s]}:
                    if label != 'tau':
                        new[trace + (label,)] = self.after(states, label)
            out |= set(new)
            front = new
        return out


def refines(impl, spec, kind, pairs=None):
    """kind: '', '<F>' or '<FD>'.  If it does, `pairs` gets their number."""
    diverges = impl.diverging(), spec.diverging()
    begin = (0, spec.closure([0]))
    seen, queue = {begin}, deque([begin])
    while queue:
        s, states = queue.popleft()
        if kind == '<FD>':
            if any(diverges[1][t] for t in states):
                continue
            if diverges[0][s]:
                return False
        own = impl.offers(s)
        if kind and 'tau' not in own and not any(
                'tau' not in spec.offers(t) and spec.offers(t) <= own
                for t in states):
            return False
        for label, target in impl.edges[s]:
            then = states if label == 'tau' else spec.after(states, label)
            if not then:
                return False
            if (target, then) not in seen:
                seen.add((target, then))
                if len(seen) > 200000:
                    raise Unbounded
                queue.append((target, then))
    if pairs is not None:
        pairs.append(len(seen))
    return True


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        model = Model(file.read())
    for term, kind, other in model.assertions:
        g = model.graph(term)
        print('%s %s: %s; %d states, %d transitions' %
              (term[1], kind, model.decide(term, kind, other), g.count,
               g.transitions))


if __name__ == '__main__':
    main()
