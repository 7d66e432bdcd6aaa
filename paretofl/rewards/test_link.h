#pragma once

namespace paretofl {

/// The first part of the Python program that runs tests (test_runner.h): how values cross between the process of the tests and
/// that of the program. Values are of types on a list and are made anew from words; of everything else a number crosses.
/// Containers that both processes hold change in both, by way of the messages. Plain ASCII words, a message per line:
/// numbers of containers no longer held, containers that changed with what they hold, a verb and its values.
inline constexpr const char* kTestLink = R"PY(
import builtins, os, sys
from itertools import islice, repeat
from _operator import is_
from _thread import RLock

# What crosses as a value: types by the names of their modules. Nothing else is ever made of what a program sends.
MODULES = {
    "builtins": "int float complex str bytes bytearray list tuple dict set frozenset range slice bool",
    "collections": "deque defaultdict OrderedDict Counter",
    "datetime": "date datetime time timedelta timezone",
    "decimal": "Decimal",
    "fractions": "Fraction",
}
HOME = {name: module for module, names in MODULES.items() for name in names.split()}
DICTS = {"dict", "defaultdict", "OrderedDict", "Counter"}
SHARED = {"list", "set", "deque", "bytearray"} | DICTS
WORDS = {"None": None, "True": True, "False": False, "Ellipsis": Ellipsis, "NotImplemented": NotImplemented}
SCALARS = {int, float, complex, str, bytes, bool, type(None)}
VIEWS = {"dict_keys": "keys", "odict_keys": "keys", "dict_values": "values", "odict_values": "values", "dict_items": "items", "odict_items": "items"}
# Modules whose exceptions the tests' process knows by their own names.
ERROR_MODULES = {"builtins", "decimal", "json.decoder", "statistics", "queue", "_queue", "asyncio.exceptions", "re", "struct", "zlib",
                 "binascii", "dataclasses", "graphlib", "uuid", "ipaddress", "csv", "_csv", "configparser", "subprocess"}
# Modules whose functions are the same ones on both sides.
FUNCTION_MODULES = {"builtins", "math", "operator", "_operator", "_functools", "cmath", "itertools", "statistics", "string", "_heapq",
                    "_bisect"}
# Operations that an object of the program may take part in, alone or with another one.
ALONE = ("call bool len iter next reversed contains getitem setitem delitem enter exit int float complex index abs neg pos invert round "
         "bytes").split()
TWO = "eq ne lt le gt ge add sub mul matmul truediv floordiv mod pow and or xor".split()
# Types whose instances say so in the process of the tests too.
CLASSES = {"generator", "function", "map", "filter", "zip", "enumerate", "reversed", "coroutine"}

known = {kind: kind.__name__ for kind in (int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, bool)}

# The name of a type whose values cross.
def name_of(kind):
    if kind not in known:
        name = kind.__name__
        module = sys.modules.get(HOME.get(name))
        known[kind] = name if module is not None and getattr(module, name, None) is kind else None
    return known[kind]

def type_of(name):
    return getattr(__import__(HOME[name]), name)

# The type, of those whose values cross, that a class is derived from.
def base_of(kind):
    return next(filter(name_of, kind.__mro__), None)

# Whether a type is no class that a program made.
def is_builtin(kind):
    return not kind.__flags__ & 1 << 9

def is_error(value):
    return isinstance(value, type) and issubclass(value, BaseException)

def has_name(value, modules):
    module, name = getattr(value, "__module__", None), getattr(value, "__name__", None)
    return module in modules and getattr(sys.modules.get(module), name, None) is value

# What a container holds, whatever a class derived from it says.
def parts_of(value):
    if type(value) is list or isinstance(value, list):
        return list.copy(value)
    if isinstance(value, bytearray):
        return [bytes(value)]
    kind = base_of(type(value))
    return [*kind.keys(value), *kind.values(value)] if isinstance(value, dict) else [*kind.__iter__(value)]

def same_parts(value, old):
    if isinstance(value, bytearray):
        return value == old[0]
    new = parts_of(value)
    return len(old) == len(new) and all(map(is_, old, new))

def made_error(kind, arguments):
    if not is_error(kind):
        return Exception()
    try:
        error = kind(*arguments)
    except Exception:
        error = kind.__new__(kind)
    error.args = tuple(arguments)
    return error

def hex_of(text):
    return text.encode("utf-8", "surrogatepass").hex()

def text_of(word):
    return bytes.fromhex(word).decode("utf-8", "surrogatepass")

# How values are written, and made again, without the name of their type. The first list holds those that one word says.
ONE_WORD = {
    "int": (lambda value: int.__format__(value, "x"), lambda word: int(word, 16)),
    "float": (float.hex, float.fromhex),
    "str": (lambda value: str.encode(value, "utf-8", "surrogatepass").hex(), text_of),
    "bytes": (bytes.hex, bytes.fromhex),
    "Decimal": (lambda value: type_of("Decimal").__str__(value), str),
}
MOMENT = "hour minute second microsecond tzinfo fold"
FIELDS = {
    "complex": "real imag", "range": "start stop step", "slice": "start stop step", "Fraction": "numerator denominator",
    "timedelta": "days seconds microseconds", "date": "year month day", "time": MOMENT, "datetime": "year month day " + MOMENT,
}

def fields_of(value, name):
    if name in FIELDS:
        return [getattr(value, field) for field in FIELDS[name].split()]
    return value.__getinitargs__() if name == "timezone" else [*type_of(name).__iter__(value)]

def made_of(kind, name, fields):
    if name in ("tuple", "frozenset"):
        return kind(fields)
    if name in ("time", "datetime"):
        return kind(*fields[:-1], fold=fields[-1])
    return kind(*fields)

# While values are written and read, which takes several calls for each list within a list.
class Deep:
    def __enter__(self):
        self.limit = sys.getrecursionlimit()
        sys.setrecursionlimit(self.limit + 10000)
    def __exit__(self, *error):
        sys.setrecursionlimit(self.limit)

# One end of the connection between the process of the tests and that of the program. Values cross as words. Containers that
# can change have a number for as long as both ends hold them; every message says first which ones its sender no longer holds,
# and what became of the others. Everything else is known by number to the other end only.
class Link:
    def __init__(self, reader, writer, first):
        self.reader, self.writer, self.fresh = reader, writer, first
        self.shared = {}  # number: [container, what it held when both ends last agreed]
        self.numbers = {}  # id of a container: its number
        self.dropped = []
        self.objects = []  # what the other end knows by number
        self.places = {}
        self.asked = 0
        self.lock = RLock()
        word_of = {kind: ONE_WORD[name][0] for kind, name in known.items() if name in ONE_WORD}
        def writer_of(kind):
            name, word = known[kind], word_of[kind]
            return lambda words, value: words.extend((name, word(value)))
        self.write = {kind: writer_of(kind) for kind in word_of}
        self.write[list] = lambda words, value: self.put_named(words, value, "list")
        self.write[bool] = self.write[type(None)] = lambda words, value: words.append(str(value))
        self.write[tuple] = lambda words, value: (words.append("tuple"), self.put_all(words, value))
        def reader_of(made):
            return lambda words: made(next(words))
        self.read = {known[kind]: reader_of(ONE_WORD[known[kind]][1]) for kind in word_of}
        self.read["list"] = lambda words: self.get_named(words, "list", list)
        self.read["tuple"] = lambda words: tuple(self.get_all(words))

    def number_of(self, value):
        if id(value) not in self.places:
            self.places[id(value)] = len(self.objects)
            self.objects.append(value)
        return str(self.places[id(value)])

    def forget(self, number):
        entry = self.shared.pop(number, None)
        if entry:
            self.numbers.pop(id(entry[0]), None)

    # Forgets the containers that nothing else here refers to any more, if the other end knows what they hold.
    def drop(self):
        for number, entry in list(self.shared.items()):
            if sys.getrefcount(entry[0]) <= 2 and same_parts(*entry):
                self.dropped.append(str(number))
                self.forget(number)

    def send(self, verb, *values):
        changed, count = [], 0
        if self.shared:
            self.drop()
            for number, entry in list(self.shared.items()):
                if not same_parts(*entry):
                    entry[1] = parts_of(entry[0])
                    changed.append(str(number))
                    self.put_all(changed, entry[1])
                    count += 1
        words = [str(len(self.dropped)), *self.dropped, str(count), *changed, verb]
        with Deep():
            self.put_all(words, values)
        self.dropped = []
        self.writer.write(" ".join(words).encode() + b"\n")
        self.writer.flush()

    def receive(self):
        line = self.reader.readline(1 << 24)
        if not line.endswith(b"\n"):
            raise EOFError
        try:
            with Deep():
                return self.message_of(iter(line[:-1].decode("ascii").split(" ")))
        except Exception as error:  # among them StopIteration, which no loop of a test may see
            raise RuntimeError("expected a message") from error

    def message_of(self, words):
        for _ in range(int(next(words))):
            self.forget(int(next(words)))
        for _ in range(int(next(words))):
            self.fill(self.shared[int(next(words))], self.get_all(words))
        return [next(words), *self.get_all(words)]

    def fill(self, entry, parts):
        value = entry[0]
        if isinstance(value, (list, bytearray)):
            value[:] = parts if isinstance(value, list) else parts[0]
        else:
            value.clear()
            if isinstance(value, dict):
                half = len(parts) // 2
                (base_of(type(value)) if name_of(type(value)) == "OrderedDict" else dict).update(value, zip(parts[:half], parts[half:]))
            elif isinstance(value, set):
                value.update(parts)
            else:
                value.extend(parts)
        entry[1] = parts_of(value)

    # Many values, which are often all of one type.
    def put_all(self, words, values):
        kinds = set(map(type, values)) if len(values) > 3 else ()
        name = known.get(*kinds) if len(kinds) == 1 else None
        words += str(len(values)), name if name in ONE_WORD else "any"
        if name in ONE_WORD:
            words.extend(map("%x".__mod__ if name == "int" else ONE_WORD[name][0], values))
            return
        write = self.write
        for value in values:
            put = write.get(type(value))
            put(words, value) if put else self.put_other(words, value)

    def get_all(self, words):
        count, name = int(next(words)), next(words)
        if name == "any":
            read = self.read
            values = []
            for _ in range(count):
                kind = next(words)
                values.append(read[kind](words) if kind in read else self.get_other(words, kind))
            return values
        if name == "int":
            return [*map(int, islice(words, count), repeat(16))]
        values = [*map(ONE_WORD[name][1], islice(words, count))]
        return [*map(type_of(name), values)] if name == "Decimal" else values

    def put(self, words, value):
        self.put_all(words, [value])

    def get(self, words):
        return self.get_all(words)[0]

    def put_other(self, words, value):
        kind = type(value)
        name = name_of(kind)
        if value is Ellipsis or value is NotImplemented:
            words.append(str(value))
        elif name:
            self.put_named(words, value, name)
        elif is_builtin(kind) and kind.__name__ in VIEWS:
            view = VIEWS[kind.__name__]
            words.append(view)
            self.put(words, {"keys": dict.fromkeys, "items": dict, "values": lambda items: dict(enumerate(items))}[view](value))
        elif is_error(value):
            self.put_error_type(words, value)
        elif isinstance(value, type) and (name_of(value) or value is type or value is object):
            words += "type", value.__name__
        elif isinstance(value, BaseException):
            self.put_error(words, value)
        else:
            self.put_object(words, value)

    def put_error(self, words, value):
        words.append("error")
        self.put(words, type(value))
        self.put_all(words, value.args)
        self.put_error_rest(words, value)

    # A value of the type of that name, or of a class derived from it.
    def put_named(self, words, value, name):
        if name in SHARED:
            number = self.numbers.get(id(value))
            if number is not None:
                words += "same", str(number)
                return
            self.fresh += 2
            entry = self.shared[self.fresh] = [value, parts_of(value)]
            self.numbers[id(value)] = self.fresh
            words += name, str(self.fresh)
            if name in ("deque", "defaultdict"):
                self.put(words, value.maxlen if name == "deque" else value.default_factory)
            self.put_all(words, entry[1])
        elif name in ONE_WORD:
            words += name, ONE_WORD[name][0](value)
        else:
            words.append(name)
            self.put_all(words, fields_of(value, name))

    def get_other(self, words, name):
        if name in WORDS:
            return WORDS[name]
        if name == "same":
            return self.shared[int(next(words))][0]
        if name in HOME:
            return self.get_named(words, name, type_of(name))
        if name in VIEWS.values():
            return getattr(dict, name)(self.get(words))
        if name == "type":
            name = next(words)
            return {"type": type, "object": object}.get(name) or type_of(name)
        if name == "errortype":
            module, name = next(words), next(words)
            found = getattr(__import__(module, fromlist=[name]), name) if module in ERROR_MODULES else None
            return found if is_error(found) else None
        if name == "error":
            kind, arguments = self.get(words), self.get_all(words)
            return self.get_error_rest(words, made_error(kind, arguments))
        return self.get_object(words, name)

    def get_named(self, words, name, kind):
        if name in SHARED:
            number = int(next(words))
            if kind is list:
                entry = self.shared[number] = [[], None]
                self.numbers[id(entry[0])] = number
                entry[0].extend(self.get_all(words))
                entry[1] = entry[0].copy()
                return entry[0]
            first = [self.get(words)] if name in ("deque", "defaultdict") else []
            value = kind(maxlen=first[0]) if name == "deque" else kind(*first)
            entry = self.shared[number] = [value, []]
            self.numbers[id(value)] = number
            self.fill(entry, self.get_all(words))
            return value
        if name in ONE_WORD:
            return kind(ONE_WORD[name][1](next(words)))
        return made_of(kind, name, self.get_all(words))

    def put_error_type(self, words, value):
        if has_name(value, ERROR_MODULES):
            words += "errortype", value.__module__, value.__name__
        else:
            self.put_own_error_type(words, value)

    # Asks the other end for something; serves what it asks for meanwhile.
    def ask(self, *request):
        with self.lock:
            self.asked += 1
            self.send(*request)
            while True:
                message = self.receive()
                if message[0] in ("value", "raised"):
                    if len(message) > 2:
                        self.printed(message[2])
                    if message[0] == "value":
                        return message[1]
                    raise self.crossed(message[1])
                self.serve(message)

    def serve(self, message):
        try:
            reply = ["value", self.operations[message[0]](*message[1:])]
        except BaseException as error:
            error.__traceback__ = error.__context__ = None
            reply = ["raised", error]
        del message[:]
        reply += self.to_print()
        self.drop()
        before = self.shared, self.numbers
        self.shared, self.numbers = {number: list(entry) for number, entry in before[0].items()}, dict(before[1])
        try:
            self.send(*reply)
        except Exception:
            self.shared, self.numbers = before
            self.send("raised", TypeError("expected a value that can cross"))
)PY";

}  // namespace paretofl
