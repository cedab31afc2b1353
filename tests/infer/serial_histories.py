"""serial_histories.py - the definitions of Line-Up, written out.

(Burckhardt, Dern, Musuvathi and Tan, PLDI 2010, section 2.)  Serial histories
come from an observation file, Figure 7; the executions that were explored come
from telling_host.c.  Everything here is by enumeration, and nothing is shared
with the program.

An operation is (process, which of its operations).  An answer is the text that
an observation file has for it; STUCK stands for that it waits for ever.
"""
import re
import xml.etree.ElementTree as ElementTree

STUCK = "#"

# Numbers, true, false, and texts with quotes of their own and backslashes.
VALUE = r'(?:"(?:[^"\\]|\\.)*"|[^" ,()]+)'
VALUES = "(?:%s(?:, %s)*)?" % (VALUE, VALUE)
ANSWER = r'%s|[^"(]*\(%s\)|[^"]*' % (VALUES, VALUES)


class Damaged(Exception):
    """An observation file that is not what it should be."""


def insist(holds, what):
    if not holds:
        raise Damaged(what)


# ---- observation files ----

def read_group(element):
    """The histories of an <observation>: lists of (operation, answer)."""
    operation, answer, waits, thread = {}, {}, set(), {}
    for process, line in enumerate(element.findall("thread")):
        insist(line.get("id") == chr(ord("A") + process), "names of threads")
        for place, word in enumerate((line.text or "").split()):
            number = word.rstrip("B")
            operation[number] = (process, place)
            if word.endswith("B"):
                waits.add(number)
        thread[process] = line.text
    called = {}
    for line in element.findall("op"):
        number, text = line.get("id"), line.text or ""
        found = re.fullmatch('(?:value="(%s)")? ?(?:result="(%s)")?' %
                             (VALUES, ANSWER), text, re.S)
        insist(found, "operation " + text)
        called[number] = (line.get("name"), found.group(1) or "")
        answer[number] = STUCK if number in waits else found.group(2) or ""
    insist(set(called) == set(operation), "operations of a group")
    histories = []
    for line in element.findall("history"):
        words, events = line.text.split(), []
        stuck = words[-1:] == [STUCK]
        for at in range(0, len(words), 2):
            number = words[at][:-1]
            insist(words[at] == number + "[", "call " + words[at])
            returns = STUCK if number in waits else "]" + number
            insist(words[at + 1] == returns, "return of " + number)
            events.append((operation[number], answer[number]))
        insist(sorted(n for n, _ in events) == sorted(operation.values()),
               "operations of a history")
        insist(stuck == bool(events and events[-1][1] == STUCK), "the end")
        insist(all(a != STUCK for _, a in events[:-1]), "stuck in the middle")
        histories.append(tuple(events))
    names = {operation[n]: called[n] for n in operation}
    return histories, names


def unescape(text):
    """Of a comment, as bytes."""
    return re.sub(r"\\(\\|x([0-9a-f]{2}))",
                  lambda m: chr(int(m.group(2), 16)) if m.group(2) else "\\",
                  text)


class Observed:
    """What a test did serially: the histories, and a tree of them."""

    def __init__(self, file):
        with open(file, encoding="ascii") as f:
            text = f.read()
        self.comment = {what: unescape(value) for what, value in
                        re.findall(r"^<!-- (\w+): (.*) -->$", text, re.M)}
        self.test = tuple(self.comment[k] for k in ("init", "test", "final"))
        self.histories, self.called = [], {}
        for group in ElementTree.fromstring(text).findall("observation"):
            histories, names = read_group(group)
            self.histories += histories
            for operation, called in names.items():
                insist(self.called.setdefault(operation, called) == called,
                       "an operation has two names")
        insist(len(set(self.histories)) == len(self.histories), "one twice")
        insist(len(self.histories) == int(self.comment["histories"]), "count")
        self.tree = {}
        for history in self.histories:
            node = self.tree
            for operation, answer in history:
                node = node.setdefault(operation, {}).setdefault(answer, {})

    def is_deterministic(self):
        """Section 2.1.2: no two histories part after a call."""
        def parts(node):
            return any(len(outcomes) > 1 or any(map(parts, outcomes.values()))
                       for outcomes in node.values())
        return not parts(self.tree)


# ---- executions ----

def write_value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return '"' + re.sub(
        r'["\\]|[^ -~]',
        lambda m: "\\" + m.group() if m.group() in '"\\'
        else "\\x%02x" % ord(m.group()), value) + '"'


def write_term(term):
    """As it is, unless it could be taken for a value or for more."""
    valued = re.match("[-0-9]|true|false", term)
    return "".join(
        "\\x%02x" % ord(c)
        if not " " <= c <= "~" or c in '\\"(' or (valued and not i) else c
        for i, c in enumerate(term))


def write_answer(term, results):
    values = ", ".join(map(write_value, results))
    if term in ("", "ok"):
        return values
    term = write_term(term)
    return "%s(%s)" % (term, values) if results else term


class History:
    """Operations with the answers of those that returned, and their order."""

    def __init__(self, told):
        self.answer, self.before, self.called = {}, {}, {}
        places, returned = {}, {}
        for process, name, args, call, ret, term, results in told:
            operation = (process, places.get(process, 0))
            places[process] = operation[1] + 1
            self.called[operation] = (name, ", ".join(map(write_value, args)))
            self.before[operation] = call
            if ret:
                self.answer[operation] = write_answer(term, results)
                returned[operation] = ret
        self.last = max(returned, key=returned.get, default=None)
        for operation, call in self.before.items():
            self.before[operation] = frozenset(
                o for o, ret in returned.items() if ret <= call)

    def key(self):
        return (tuple(sorted(self.answer.items())),
                tuple(sorted((o, tuple(sorted(b)))
                             for o, b in self.before.items())))

    def pending(self):
        return [o for o in self.before if o not in self.answer]

    def without_return(self, operation):
        other = History([])
        other.answer = {o: a for o, a in self.answer.items() if o != operation}
        other.before = {o: b - {operation} for o, b in self.before.items()}
        return other


def has_witness(tree, h, done=frozenset()):
    """Definition 1: all that returned, and some of what is pending."""
    if all(o in done for o in h.answer):
        return True
    for operation, outcomes in tree.items():
        if operation not in h.before or not h.before[operation] <= done:
            continue
        for answer, after in outcomes.items():
            if answer != STUCK and h.answer.get(operation, answer) == answer \
                    and has_witness(after, h, done | {operation}):
                return True
    return False


def has_stuck_witness(tree, h, e, done=frozenset()):
    """Definition 2, of H[e]: all that returned, then e waits for ever."""
    if all(o in done for o in h.answer):
        return STUCK in tree.get(e, {})
    for operation, outcomes in tree.items():
        if operation not in h.answer or not h.before[operation] <= done:
            continue
        after = outcomes.get(h.answer[operation])
        if after is not None and \
                has_stuck_witness(after, h, e, done | {operation}):
            return True
    return False


class Judge:
    """What should be said of an execution, each history decided once."""

    def __init__(self, observed):
        self.observed = observed
        self.known = {}

    def is_linearizable(self, h):
        key = h.key()
        if key not in self.known:
            self.known[key] = has_witness(self.observed.tree, h)
        return self.known[key]

    def is_justified(self, h):
        key = ("stuck", h.key())
        if key not in self.known:
            pending = h.pending()
            self.known[key] = bool(pending) and all(
                has_stuck_witness(self.observed.tree, h, e) for e in pending)
        return self.known[key]

    def objects_to(self, told):
        """Why the program is wrong about an execution, or None."""
        h = History(told["operations"])
        for operation, called in h.called.items():
            if self.observed.called.get(operation, called) != called:
                return "calls another operation than it says"
        if told["history"]:
            if self.is_linearizable(h):
                return "a serial history explains it"
            if not self.is_linearizable(h.without_return(h.last)):
                return "it was wrong before its last return"
            return None
        if not self.is_linearizable(h):
            return "no serial history explains it"
        if told["fault"] or \
                told["ending"] not in ("deadlock", "endless", "prefix"):
            return None
        if told["wrong"] == self.is_justified(h):
            return "stuck, and %s" % ("has witnesses" if told["wrong"] else
                                      "not every operation has a witness")
        return None
