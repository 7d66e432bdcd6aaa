#pragma once

namespace paretofl {

/// The Python program that runs a program's tests in a sandbox. Its input is the size of the program in decimal digits, a
/// line feed, the program, and a list of two lists of texts as `put` writes them: names that the program is to define, and
/// tests. It prints + or - per test. The program runs in a process of its own, forked before the tests are read, without any
/// descriptor but two pipes: it gets calls and gives back plain data (numbers, texts, lists, dicts, sets and the like, of
/// exactly these types), so that it can neither see the tests, nor change what they are made of, nor print a verdict.
inline constexpr const char* kTestRunner = R"PY(
import builtins, os, sys

PLAIN = {"None": None, "True": True, "False": False}
KINDS = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}

# Plain data as words, and back; other things by number.
def put(words, value, number_of):
    if value is None or value is True or value is False:
        words.append(str(value))
    elif isinstance(value, int):
        words += "int", int.__format__(value, "x")
    elif isinstance(value, float):
        words += "float", float.hex(value)
    elif isinstance(value, complex):
        words += "complex", value.real.hex(), value.imag.hex()
    elif isinstance(value, str):
        words += "str", str.encode(value, "utf-8", "surrogatepass").hex()
    elif isinstance(value, (bytes, bytearray)):
        words += "bytes", bytes(value).hex()
    elif isinstance(value, dict):
        words += "dict", str(len(value))
        for key, item in value.items():
            put(words, key, number_of)
            put(words, item, number_of)
    elif isinstance(value, type) and getattr(builtins, value.__name__, None) is value:
        words += "type", value.__name__
    else:
        for name, kind in KINDS.items():
            if isinstance(value, kind):
                words += name, str(len(value))
                for item in value:
                    put(words, item, number_of)
                return
        words += "object", str(number_of(value))

def get(words, object_of):
    kind = next(words)
    if kind in PLAIN:
        return PLAIN[kind]
    text = next(words)
    if kind == "int":
        return int(text, 16)
    if kind == "float":
        return float.fromhex(text)
    if kind == "complex":
        return complex(float.fromhex(text), float.fromhex(next(words)))
    if kind == "str":
        return bytes.fromhex(text).decode("utf-8", "surrogatepass")
    if kind == "bytes":
        return bytes.fromhex(text)
    if kind == "type":
        found = getattr(builtins, text)
        return found if isinstance(found, type) else None
    if kind == "object":
        return object_of(int(text))
    if kind == "dict":
        return {get(words, object_of): get(words, object_of) for _ in range(int(text))}
    return KINDS[kind]([get(words, object_of) for _ in range(int(text))])

def send(file, value, number_of):
    words = []
    put(words, value, number_of)
    file.write(" ".join(words).encode() + b"\n")
    file.flush()

def receive(file, object_of):
    line = file.readline(1 << 24)
    if not line.endswith(b"\n"):
        raise EOFError
    return get(iter(line[:-1].decode("ascii").split(" ")), object_of)

# In the process of the program: answers calls with what the program makes of them.
def serve(program, requests, replies):
    module = type(sys)("program")
    sys.modules["program"] = module
    exec(compile(program, "program", "exec"), module.__dict__)
    objects = []
    def number_of(value):
        objects.append(value)
        return len(objects) - 1
    while True:
        verb, value, *rest = receive(requests, objects.__getitem__)
        try:
            if verb == "name":
                reply = module.__dict__[value]
            elif verb == "call":
                reply = value(*rest[0], **rest[1])
            elif verb == "attribute":
                reply = getattr(value, rest[0])
            elif verb == "set":
                reply = setattr(value, *rest)
            else:
                reply = list(value)
            reply = ["value", reply]
        except Exception as error:
            reply = ["error", type(error).__name__, str(error)]
        send(replies, reply, number_of)

# In the process of the tests: something of the program that is no plain data.
class Theirs:
    def __init__(self, ask, number):
        self.__dict__.update(_ask=ask, _number=number)
    def __call__(self, *arguments, **named):
        return self._ask("call", self, arguments, named)
    def __getattr__(self, name):
        return self._ask("attribute", self, name)
    def __setattr__(self, name, value):
        self._ask("set", self, name, value)
    def __iter__(self):
        return iter(self._ask("items", self))

def connection(requests, replies):
    def ask(*request):
        send(requests, request, lambda value: value.__dict__["_number"])
        kind, *rest = receive(replies, lambda number: Theirs(ask, number))
        if kind == "value":
            return rest[0]
        error = getattr(builtins, rest[0], None)
        known = isinstance(error, type) and issubclass(error, Exception)
        raise (error if known else Exception)(rest[1])
    return ask

# What a test sees: the names that the program is to define, and modules of the standard library.
class Names(dict):
    def __missing__(self, name):
        if name in self["__names__"]:
            return self["__ask__"]("name", name)
        if name in sys.stdlib_module_names:
            return __import__(name)
        raise KeyError(name)

def main():
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 2)
    with os.fdopen(0, "rb", 0) as job:
        program = job.read(int(job.readline()))
        theirs, requests = os.pipe()
        replies, ours = os.pipe()
        if os.fork() == 0:
            for descriptor in 0, 1, 2, requests, replies:
                os.dup2(null, descriptor)
            try:
                serve(program, os.fdopen(theirs, "rb"), os.fdopen(ours, "wb"))
            finally:
                os._exit(0)
        os.close(theirs)
        os.close(ours)
        names, tests = get(iter(job.read().decode("ascii").split(" ")), None)
    if any("random" in test for test in tests):
        import random
        random.seed(0)
    ask = connection(os.fdopen(requests, "wb"), os.fdopen(replies, "rb"))
    for test in tests:
        try:
            exec(compile(test, "test", "exec"), Names(__name__="test", __names__=names, __ask__=ask))
            verdict = b"+"
        except Exception:
            verdict = b"-"
        os.write(1, verdict)

main()
os._exit(0)
)PY";

}  // namespace paretofl
