#pragma once

namespace paretofl {

/// The last part of the Python program that runs a program's tests in a sandbox, behind kTestLink and kTestEnds. Its input is
/// the size of the program in decimal digits, a line feed, the program, and two lists of texts in words: names that the
/// program is to define, and tests. It prints + or - per test. The program runs in a process of its own, forked before the
/// tests are read, without any descriptor but two pipes: it gets calls and gives back values, so that it can neither see the
/// tests, nor change what they are made of, nor print a verdict.
inline constexpr const char* kTestRunner = R"PY(
# What a test sees: the names that the program is to define, modules of the standard library, and its types of values.
class Names(dict):
    def __missing__(self, name):
        if name in self["__names__"]:
            try:
                value = self["__link__"].ask("name", name)
            except KeyError:  # which would say that Python's own is meant
                raise NameError(name)
            if getattr(type(value), "_kind", None) == "function":
                self[name] = value  # asked for often
            return value
        if name in sys.stdlib_module_names:
            return __import__(name)
        if HOME.get(name, "builtins") != "builtins":
            return type_of(name)
        raise KeyError(name)

# The program, with what it imports from __future__ in front, where another beginning came before that.
def compiled(program):
    try:
        return compile(program, "program", "exec")
    except SyntaxError as error:
        if "__future__" not in str(error):
            raise
    import __future__, ast
    flags, lines = 0, program.decode("utf-8").splitlines(keepends=True)
    for node in compile("".join(lines), "program", "exec", ast.PyCF_ONLY_AST).body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for name in node.names:
                flags |= getattr(__future__, name.name).compiler_flag
            for line in range(node.lineno - 1, node.end_lineno):
                lines[line] = "\n"
    return compile("".join(lines), "program", "exec", flags)

def serve(program, requests, replies):
    module = type(sys)("program")
    sys.modules["program"] = module
    exec(compiled(program), module.__dict__)
    link = ProgramLink(requests, replies, module.__dict__)
    while True:
        link.serve(link.receive())

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
        verdicts = os.dup(1)
        os.dup2(null, 1)  # what a test prints may be the program's text
        link = TestLink(os.fdopen(replies, "rb"), os.fdopen(requests, "wb"))
        words = iter(job.read().decode("ascii").split(" "))
        names, tests = ([text_of(next(words)) for _ in range(int(next(words)))] for _ in range(2))
    if any("random" in test for test in tests):
        import random
        random.seed(0)
    for test in tests:
        try:
            exec(compile(test, "test", "exec"), Names(__name__="test", __names__=names, __link__=link))
            verdict = b"+"
        except BaseException:
            verdict = b"-"
        os.write(verdicts, verdict)

main()
os._exit(0)
)PY";

}  // namespace paretofl
