#pragma once

namespace paretofl {

/// The second part of the Python program that runs tests (test_runner.h): what either process makes of the other's messages.
/// The process of the program obeys; that of the tests gives out nothing but calls of functions that a test hands over, items
/// of its iterators, and attributes of objects of its classes that do not begin with an underscore.
inline constexpr const char* kTestEnds = R"PY(
# Something of the tests' that is no value: a function, an iterator, or an object of a class of theirs.
class Given:
    def __init__(self, link, number):
        self.__dict__.update(_link=link, _number=number)
    def __call__(self, *arguments, **named):
        return self._link.ask("call", self._number, arguments, tuple(named.items()))
    def __getattr__(self, name):
        return self._link.ask("getattr", self._number, name)
    def __setattr__(self, name, value):
        self._link.ask("setattr", self._number, name, value)
    def __iter__(self):
        return self._link.ask("iter", self._number)
    def __next__(self):
        for item in self._link.ask("next", self._number):
            return item
        raise StopIteration

def is_scalar(value):
    return type(value) in SCALARS or type(value) is tuple and all(type(part) in SCALARS for part in value)

# The next items of an iterator: up to `most` of those that nothing can change later.
def items_of(iterator, most):
    items = []
    while len(items) < most:
        try:
            item = next(iterator)
        except StopIteration:
            return items, "end", None
        except BaseException as error:
            error.__traceback__ = error.__context__ = None
            return items, "error", error
        items.append(item)
        if not is_scalar(item):
            break
    return items, "more", None

def run_coroutine(coroutine):
    import asyncio
    return asyncio.run(coroutine)

class ProgramLink(Link):
    def __init__(self, reader, writer, names):
        super().__init__(reader, writer, 1)
        import io
        sys.stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogatepass", write_through=True)
        self.output = sys.stdout.buffer
        import _operator as operator
        self.names, self.given, self.flags = names, {}, {}
        self.operations = {name: getattr(operator, {"and": "and_", "or": "or_", "not": "not_"}.get(name, name)) for name in TWO}
        self.operations |= {name: getattr(operator, name) for name in "getitem setitem delitem index abs neg pos invert".split()}
        self.operations |= {name: getattr(builtins, name) for name in
                            "bool len iter reversed int float complex round str repr format bytes getattr setattr delattr isinstance issubclass".split()}
        self.operations |= {"name": self.name, "call": lambda value, arguments, named: value(*arguments, **dict(named)), "next": items_of,
                            "enter": lambda value: type(value).__enter__(value), "run": run_coroutine,
                            "exit": lambda value, *error: type(value).__exit__(value, *error)}

    # What the program printed since it was last asked for something; the process of the tests prints it.
    def to_print(self):
        text = self.output.getvalue()
        if not text:
            return []
        self.output.seek(0)
        self.output.truncate()
        return [text.decode("utf-8", "replace")]

    def name(self, name):
        if name not in self.names:
            raise NameError(f"name {name!r} is not defined")
        return self.names[name]

    def crossed(self, error):
        return error

    def put_object(self, words, value):
        kind = type(value)
        if kind is Given:
            words += "yours", str(value._number)
            return
        base = name_of(base_of(kind)) if base_of(kind) else None
        if base in SHARED and id(value) in self.numbers:
            words += "same", str(self.numbers[id(value)])
        elif base:
            words += "derived", self.number_of(value)
            self.put_named(words, value, base)
        else:
            if kind not in self.flags:
                flags = [name for name in ALONE if hasattr(kind, f"__{name}__")]
                flags += [name for name in TWO if getattr(kind, f"__{name}__", None) not in (None, getattr(object, f"__{name}__", None))]
                self.flags[kind] = [kind.__name__ if kind.__name__ in CLASSES and is_builtin(kind) else "-", str(len(flags)), *flags]
            words += "object", self.number_of(value), *self.flags[kind]
            try:
                code = None if kind.__hash__ is object.__hash__ else hash(value)
            except TypeError:
                code = False
            self.put(words, code)

    def put_own_error_type(self, words, value):
        words += "ownerror", self.number_of(value), hex_of(value.__name__)
        self.put_all(words, [base for base in value.__bases__ if is_error(base)])

    def put_error_rest(self, words, value):
        try:
            text = str(value)
        except Exception:
            text = ""
        self.put_all(words, (None if has_name(type(value), ERROR_MODULES) else int(self.number_of(value)), text))

    def get_error_rest(self, words, error):
        return error

    def get_object(self, words, name):
        if name == "function":
            return getattr(__import__(next(words), fromlist=["-"]), next(words))
        number = int(next(words))
        if name == "yours":
            return self.objects[number]
        return self.given.setdefault(number, Given(self, number))

# Something of the program's that is no value. The tests' values go to the program as arguments of calls alone, so that
# no object of its can say that it is what they expect.
class Theirs:
    def __getattr__(self, name):
        return self._link.ask("getattr", self, name)
    def __setattr__(self, name, value):
        self._link.ask("setattr", self, name, value)
    def __delattr__(self, name):
        self._link.ask("delattr", self, name)
    def __str__(self):
        return self._link.ask("str", self)
    def __repr__(self):
        return self._link.ask("repr", self)
    def __format__(self, form):
        return self._link.ask("format", self, form)
    def __instancecheck__(self, value):
        return getattr(type(value), "_is_theirs", False) is True and self._link.ask("isinstance", value, self) is True
    def __subclasscheck__(self, value):
        return isinstance(value, Theirs) and self._link.ask("issubclass", value, self) is True
    _is_theirs = True

def call_of(self, *arguments, **named):
    return self._link.ask("call", self, arguments, tuple(named.items()))

def contains_of(self, value):
    return any(item is value or item == value for item in self)

def next_of(self):
    ahead = self.__dict__.setdefault("_ahead", [])
    if not ahead and not self.__dict__.get("_end"):
        link = self._link
        # Nothing but this iterator was asked for: it may be asked for more at a time.
        row = self.__dict__.get("_row", 0) + 1 if self.__dict__.get("_asked") == link.asked else 0
        items, state, error = link.ask("next", self, 1 if row < 4 else min(1 << (row - 3), 1024))
        self.__dict__.update(_row=row, _asked=link.asked, _end=state != "more", _error=error)
        ahead.extend(reversed(items))
    if ahead:
        return ahead.pop()
    error = self.__dict__.pop("_error", None)
    if error is not None:
        raise self._link.crossed(error)
    raise StopIteration

def exit_of(self, kind, error, trace):
    self._link.ask("exit", self, kind, error, None)

def alone(name):
    return lambda self, *arguments: self._link.ask(name, self, *arguments)

def two(name):
    return lambda self, other: self._link.ask(name, self, other) if isinstance(other, Theirs) else NotImplemented

class TestLink(Link):
    def __init__(self, reader, writer):
        super().__init__(reader, writer, 0)
        self.classes, self.theirs, self.errors = {}, {}, {}
        self.operations = {"call": lambda number, arguments, named: self.objects[number](*arguments, **dict(named)),
                           "getattr": lambda number, name: getattr(self.open_object(number, name), name),
                           "setattr": lambda number, name, value: setattr(self.open_object(number, name), name, value),
                           "iter": lambda number: iter(self.objects[number]), "next": self.next}

    def printed(self, text):
        if sys.stdout is not sys.__stdout__:
            sys.stdout.write(text)

    def to_print(self):
        return []

    # An object of a class that a test defines, if the program may have that attribute.
    def open_object(self, number, name):
        value = self.objects[number]
        if type(value).__module__ != "test" or type(name) is not str or name.startswith("_"):
            raise AttributeError(name)
        return value

    def next(self, number):
        for item in self.objects[number]:
            return item,
        return ()

    # The program's StopIteration would end a loop of the tests as if they had passed.
    def crossed(self, error):
        if isinstance(error, (StopIteration, StopAsyncIteration, GeneratorExit)):
            return RuntimeError(f"the program raised {type(error).__name__}")
        return error if isinstance(error, BaseException) else Exception()

    def put_object(self, words, value):
        kind = type(value)
        if getattr(kind, "_is_theirs", False) is True:
            words += "yours", str(value.__dict__["_number"])
        elif has_name(value, FUNCTION_MODULES):
            words += "function", value.__module__, value.__name__
        elif base := base_of(kind):
            self.put_named(words, value, name_of(base))
        else:
            words += "given", self.number_of(value)

    def put_own_error_type(self, words, value):
        if "_number" in value.__dict__:
            words += "yours", str(value.__dict__["_number"])
        else:
            self.put_error_type(words, next(base for base in value.__mro__[1:] if is_error(base)))

    # The program's own error goes back as itself, with the attributes that it was given.
    def put_error(self, words, value):
        number = value.__dict__.get("_number")
        if type(number) is int:
            words += "yours", str(number)
        else:
            super().put_error(words, value)

    def put_error_rest(self, words, value):
        pass

    def get_error_rest(self, words, error):
        number, text = self.get_all(words)
        if type(number) is int and type(text) is str and "_number" in type(error).__dict__:
            error.__dict__.update(_number=number, _text=text)
        return error

    def get_object(self, words, name):
        number = int(next(words))
        if name == "yours":
            return self.objects[number]
        if name == "derived":
            name = next(words)
            value = self.get_named(words, name, self.derived(name))
            value.__dict__["_number"] = number
            return value
        if name == "ownerror":
            title, bases = text_of(next(words)), self.get_all(words)
            return self.errors.get(number) or self.errors.setdefault(number, self.error_class(number, title, bases))
        if name != "object":
            raise ValueError
        kind = next(words)
        flags = tuple(next(words) for _ in range(int(next(words))))
        code = self.get(words)
        if kind == "coroutine":
            return self.coroutine(number)
        if number not in self.theirs:
            self.theirs[number] = value = self.class_of(kind, flags)()
            value.__dict__.update(_number=number, _code=code)
        return self.theirs[number]

    async def coroutine(self, number):
        value = self.class_of("-", ())()
        value.__dict__["_number"] = number
        return self.ask("run", value)

    def class_of(self, kind, flags):
        if (kind, flags) not in self.classes:
            special = {"call": call_of, "contains": contains_of, "next": next_of, "exit": exit_of}
            methods = {f"__{name}__": special.get(name) or alone(name) for name in flags if name in ALONE}
            methods |= {f"__{name}__": two(name) for name in flags if name in TWO}
            if "eq" in flags:
                methods["__hash__"] = lambda self: hash(self.__dict__["_code"]) if type(self.__dict__["_code"]) is int else hash([])
            if kind in CLASSES:
                import types
                methods["__class__"] = getattr(types, kind.capitalize() + "Type", None) or getattr(builtins, kind)
            self.classes[kind, flags] = made = type("Theirs", (Theirs,), methods | {
                "_link": self, "_kind": kind, "__doc__": property(lambda value: self.ask("getattr", value, "__doc__"))})
            self.write[made] = self.put_theirs
        return self.classes[kind, flags]

    def put_theirs(self, words, value):
        words += "yours", str(value.__dict__["_number"])

    # The class of values that are derived from a type: the value is the tests' own, its other attributes are the program's.
    def derived(self, name):
        if name not in self.classes:
            def getattr_of(value, attribute):
                return self.ask("getattr", value, attribute)
            self.classes[name] = type(name, (type_of(name),), {
                "__getattr__": getattr_of, "__str__": alone("str"), "__repr__": alone("repr"), "__format__": alone("format"), "_link": self,
                "_is_theirs": True})
        return self.classes[name]

    def error_class(self, number, title, bases):
        def getattr_of(error, attribute):
            if "_number" not in error.__dict__:
                raise AttributeError(attribute)
            return self.ask("getattr", error, attribute)
        def str_of(error):
            return error.__dict__["_text"] if "_text" in error.__dict__ else super(kind, error).__str__()
        kind = type(title, tuple(base for base in bases if is_error(base)), {
            "__getattr__": getattr_of, "__str__": str_of, "_number": number, "__module__": "program"})
        return kind
)PY";

}  // namespace paretofl
