"""containers.py - lists, sets, stacks, queues and tables, as the manual has them.

For oracle.py, and to draw calls of their methods for random_models.py.  The
content of a set is sorted, that of a table are sorted pairs.
"""
KINDS = ('List', 'Set', 'Stack', 'Queue', 'HashTable')


class Missing(Exception):
    """There is no such element or key."""


def element(content, index):
    if not 0 <= index < len(content):
        raise Missing
    return content[index]


def without(content, index):
    element(content, index)
    return content[:index] + content[index + 1:]


def replaced(content, index, value):
    element(content, index)
    return content[:index] + (value,) + content[index + 1:]


def inserted(content, index, value):
    if not 0 <= index <= len(content):
        raise Missing
    return content[:index] + (value,) + content[index:]


def first_out(content, value):
    return without(content, content.index(value)) if value in content \
        else content


def value_of(content, key):
    if key not in dict(content):
        raise Missing
    return dict(content)[key]


def ordered(items):
    return tuple(sorted(set(items)))


# What a method answers, and the content after it; None: nothing, or the same.
ANY = {
    'Count': lambda c: (len(c), None),
    'IsEmpty': lambda c: (int(not c), None),
    'Clear': lambda c: (None, ()),
}
ROW = dict(ANY, **{
    'Contains': lambda c, v: (int(v in c), None),
    'Concat': lambda c, a, b=None: (c + a if b is None else a + b, None),
})
METHODS = {
    'List': dict(ROW, **{
        'Get': lambda c, i: (element(c, i), None),
        'First': lambda c: (element(c, 0), None),
        'Last': lambda c: (element(c, len(c) - 1), None),
        'Add': lambda c, v: (None, c + (v,)),
        'Remove': lambda c, v: (int(v in c), first_out(c, v)),
        'RemoveAt': lambda c, i: (None, without(c, i)),
        'Insert': lambda c, i, v: (None, inserted(c, i, v)),
        'Set': lambda c, i, v: (None, replaced(c, i, v)),
        'IndexOf': lambda c, v: (c.index(v) if v in c else -1, None),
    }),
    'Stack': dict(ROW, **{
        'Push': lambda c, v: (None, c + (v,)),
        'Pop': lambda c: (element(c, len(c) - 1), c[:-1]),
        'Peek': lambda c: (element(c, len(c) - 1), None),
    }),
    'Queue': dict(ROW, **{
        'Enqueue': lambda c, v: (None, c + (v,)),
        'Dequeue': lambda c: (element(c, 0), c[1:]),
        'First': lambda c: (element(c, 0), None),
        'Peek': lambda c: (element(c, 0), None),
        'Last': lambda c: (element(c, len(c) - 1), None),
    }),
    'Set': dict(ANY, **{
        'Contains': lambda c, v: (int(v in c), None),
        'Get': lambda c, i: (element(c, i), None),
        'Add': lambda c, v: (int(v not in c), ordered(c + (v,))),
        'Remove': lambda c, v: (int(v in c), first_out(c, v)),
        'Union': lambda c, a, b=None: (
            ordered(c + a if b is None else a + b), None),
        'Intersect': lambda c, a, b=None: (
            ordered(set(a) & set(c if b is None else b)), None),
        'Substract': lambda c, a, b=None: (
            ordered(set(c) - set(a) if b is None else set(a) - set(b)), None),
        'IsOverlapping': lambda c, a: (int(bool(set(a) & set(c))), None),
        'IsDisjoint': lambda c, a: (int(not set(a) & set(c)), None),
    }),
    'HashTable': dict(ANY, **{
        'Add': lambda c, k, v: (None, c if k in dict(c) else
                                tuple(sorted(c + ((k, v),)))),
        'ContainsKey': lambda c, k: (int(k in dict(c)), None),
        'GetValue': lambda c, k: (value_of(c, k), None),
        'Remove': lambda c, k: (int(k in dict(c)), tuple(
            pair for pair in c if pair[0] != k)),
    }),
}


def call(kind, name, content, arguments):
    """The answer and the content after it."""
    answer, after = METHODS[kind][name](content, *arguments)
    return answer, content if after is None else after


# ---- at random: of `name`, that begins with the letter of its kind ----

VARIABLES = {'ql': 'List', 'qs': 'Set', 'qk': 'Stack', 'qq[%s]': 'Queue',
             'qt': 'HashTable'}
DECLARED = 'var<List> ql; var<Set> qs = new Set(); var<Stack> qk; ' \
    'var<Queue> qq[2]; var<HashTable> qt;'
GROWS = {'List': 'Add(%s)', 'Set': 'Add(%s)', 'Stack': 'Push(%s)',
         'Queue': 'Enqueue(%s)', 'HashTable': 'Add(%s, %s)'}
ASKS = {
    'List': ['Contains(%s)', 'IndexOf(%s)', 'Get(%s)', 'First()', 'Last()'],
    'Set': ['Contains(%s)', 'Get(%s)', 'IsDisjoint(qs)', 'IsOverlapping(qs)'],
    'Stack': ['Contains(%s)', 'Peek()'],
    'Queue': ['Contains(%s)', 'First()', 'Last()', 'Peek()'],
    'HashTable': ['ContainsKey(%s)', 'GetValue(%s)'],
}
# What only sometimes has an answer.
FAILS = ('Get(', 'First', 'Last', 'Peek', 'Pop', 'Dequeue', 'RemoveAt',
         'Insert', 'Set(')
SHRINKS = {
    'List': ['Remove(%s)', 'RemoveAt(%s)', 'Clear()', 'Set(%s, %s)',
             'Insert(%s, %s)'],
    'Set': ['Remove(%s)', 'Clear()'], 'Stack': ['Pop()', 'Clear()'],
    'Queue': ['Dequeue()', 'Clear()'], 'HashTable': ['Remove(%s)', 'Clear()'],
}
ANSWERS = ('Remove(', 'Pop', 'Dequeue')
MAKES = ['qs = qs.Union(qs)', 'qs = qs.Intersect(qs, new Set())',
         'qs = qs.Substract(qs, qs)', 'ql = new List()',
         'qq[0] = qq[1]', 'qk = qk', 'if (ql.Count() < 2) { ql = ql.Concat(ql) '
         '}', 'if (qk == qk) { qk = qk.Concat(new Stack(), qk) }']


def filled(form, value):
    return form % tuple(value() for _ in range(form.count('%s')))


def variable(r, value):
    name, kind = r.choice(sorted(VARIABLES.items()))
    return name if '%' not in name else name % r.choice(
        ['0', '1', '(%s)%%2' % value()]), kind


def question(r, value):
    """An expression."""
    name, kind = variable(r, value)
    if r.random() < .4:
        return '%s.%s' % (name, r.choice(['Count()', 'IsEmpty()']))
    form = r.choice(ASKS[kind])
    text = '%s.%s' % (name, filled(form, value))
    sure = not form.startswith(FAILS + ('GetValue',)) or r.random() < .03
    return text if sure else '%s.Count()' % name


def change(r, value, target):
    """A statement."""
    name, kind = variable(r, value)
    if r.random() < .15:
        return r.choice(MAKES)
    if r.random() < .5:
        return 'if (%s.Count() < 2) { %s.%s }' % (name, name,
                                                  filled(GROWS[kind], value))
    form = r.choice(SHRINKS[kind])
    text = '%s.%s' % (name, filled(form, value))
    if form.startswith(ANSWERS) and r.random() < .6:
        text = '%s = %s' % (target, text)
    if form.startswith(('Insert', 'Set(', 'RemoveAt')) and r.random() < .95:
        return 'if (%s.Count() == 2) { %s.%s }' % (
            name, name, form.replace('Insert', 'Set') %
            ((r.choice('01'),) + (value(),) * (form.count('%s') - 1)))
    return text if not form.startswith(FAILS) or r.random() < .05 else \
        'if (%s.Count() > 0) { %s }' % (name, text)
