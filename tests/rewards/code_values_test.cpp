// Whether code_accuracy judges what crosses between a program and its tests as one interpreter of both would.
#include <gtest/gtest.h>

#include "paretofl/rewards/code_accuracy.h"
#include "tests/rewards/tested_program.h"
#include "tests/sandbox/needs_sandbox.h"

namespace paretofl {
namespace {

// Every test passes, by code_accuracy and in the program's own interpreter.
void expect_to_pass(const std::vector<TestedProgram>& rows) {
  const SandboxOptions options{.wall_seconds = 60, .memory_mb = 200};
  const Sandbox plain(options);
  const std::vector<Answer> answers = answers_of(rows);
  const std::vector<double> scores = CodeAccuracy({.at_once = 4, .sandbox = options}).scores(answers);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(scores[i], 1) << answers[i].prompt;
    EXPECT_EQ(plain.run(answers[i].completion + "\n" + answers[i].prompt).end, SandboxEnd::kPassed) << answers[i].prompt;
  }
}

TEST(CodeValues, ArePlainPythons) {
  PARETOFL_NEEDS_SANDBOX();
  expect_to_pass({
      {{"f"},
       R"PY(from fractions import Fraction
from decimal import Decimal
import datetime as d
def f(i):
    return [Fraction(2, 6), Decimal("0.10"), d.date(2020, 1, 2), d.datetime(2020, 1, 2, 3, 4, 5, 6, d.timezone.utc), d.time(1, 2, fold=1),
            d.timedelta(1, 2, 3), d.timezone(d.timedelta(hours=2), "X"), 3 + 4j, 10 ** 5000, range(4, 0, -2), slice(1, None), frozenset([1])][i])PY",
       {R"PY(from fractions import Fraction
assert f(0) == Fraction(1, 3) and f(0) * 3 == 1 and str(f(0)) == '1/3')PY",
        R"PY(assert float(f(1)) == 0.1 and str(f(1)) == '0.10' and not f(1) == 0.1)PY",
        R"PY(import datetime
assert f(2) == datetime.date(2020, 1, 2) and f(2).isoformat() == '2020-01-02')PY",
        R"PY(import datetime
assert f(3).tzinfo is datetime.timezone.utc and f(3).microsecond == 6 and f(3) > datetime.datetime(2019, 1, 1, tzinfo=datetime.timezone.utc))PY",
        R"PY(import datetime
assert f(4) == datetime.time(1, 2) and f(4).fold == 1)PY",
        R"PY(import datetime
assert f(5) == datetime.timedelta(1, 2, 3) and f(5).days == 1)PY",
        R"PY(assert f(6).tzname(None) == 'X')PY", R"PY(assert f(7) == 3 + 4j and abs(f(7)) == 5)PY", R"PY(assert f(8) == 10 ** 5000)PY",
        R"PY(assert f(9) == range(4, 0, -2) and list(f(9)) == [4, 2] and f(9)[1] == 2 and not f(9) == [4, 2])PY",
        R"PY(assert 'abc'[f(10)] == 'bc')PY", R"PY(assert f(11) == {1} and hash(f(11)) == hash(frozenset([1])))PY"}},
      {{"f"},
       R"PY(from collections import Counter, OrderedDict, defaultdict, deque, ChainMap, UserList
def f(i):
    return [deque([1, 2], maxlen=3), defaultdict(list, {1: [2]}), Counter("aab"), OrderedDict([(1, 2), (3, 4)]), ChainMap({1: 2}), deque(),
            UserList([1, 2])][i])PY",
       {R"PY(from collections import deque
assert f(0) == deque([1, 2]) and f(0)[0] == 1 and len(f(0)) == 2 and f(0).maxlen == 3 and not f(0) == [1, 2])PY",
        R"PY(d = f(1)
assert d == {1: [2]} and d[5] == [] and 5 in d)PY",
        R"PY(assert f(2) == {'a': 2, 'b': 1} and f(2).most_common(1) == [('a', 2)])PY",
        R"PY(from collections import OrderedDict
assert f(3) == OrderedDict([(1, 2), (3, 4)]) and f(3) != OrderedDict([(3, 4), (1, 2)]) and f(3) == {3: 4, 1: 2})PY",
        R"PY(assert f(4)[1] == 2 and len(f(4)) == 1 and dict(f(4)) == {1: 2})PY", R"PY(assert not f(5) and f(5) is not None)PY",
        R"PY(assert list(f(6)) == [1, 2] and f(6)[-1] == 2 and 2 in f(6))PY"}},
      {{"f", "g"},
       R"PY(def f(i):
    d = {1: "a", 2: "b"}
    return [d.keys(), d.values(), d.items()][i]
def g(i):
    return [lambda: iter([1, 2]), lambda: map(str, [1, 2]), lambda: zip([1], "a"), lambda: reversed([1, 2]), lambda: filter(None, [0, 1]), lambda: enumerate("a")][i]())PY",
       {R"PY(assert f(0) == {1, 2} and 1 in f(0) and list(f(0)) == [1, 2] and not f(0) == [1, 2])PY",
        R"PY(assert list(f(1)) == ['a', 'b'] and sorted(f(1))[1] == 'b' and f(1) != ['a', 'b'])PY",
        R"PY(assert dict(f(2)) == {1: 'a', 2: 'b'} and (1, 'a') in f(2) and len(f(2)) == 2)PY",
        R"PY(assert list(g(0)) == [1, 2] and next(g(0)) == 1 and not g(0) == [1, 2])PY",
        R"PY(assert list(g(1)) == ['1', '2'] and isinstance(g(1), map))PY", R"PY(assert list(g(2)) == [(1, 'a')])PY",
        R"PY(assert list(g(3)) == [2, 1])PY", R"PY(assert list(g(4)) == [1])PY", R"PY(assert list(g(5)) == [(0, 'a')])PY",
        R"PY(i = g(0)
assert [next(i, None) for _ in range(3)] == [1, 2, None] and iter(i) is i)PY"}},
      {{"same"},
       R"PY(def same(x): return x)PY",
       {R"PY(x = same([1, (2, 'a'), {3: {4.5}}, None, True, b'\xff', 2j, ..., bytearray(b'x'), NotImplemented, '\ud800'])
assert x == [1, (2, 'a'), {3: {4.5}}, None, True, b'\xff', 2j, ..., bytearray(b'x'), NotImplemented, '\ud800'])PY",
        R"PY(assert same(int) is int and same(ValueError) is ValueError and same(len)([1]) == 1)PY",
        R"PY(e = same(ValueError('q'))
assert type(e) is ValueError and e.args == ('q',))PY",
        R"PY(g = lambda: 1
assert same(g) is g)PY",
        R"PY(a = [1]
assert same(a) is a and same([a, a])[0] is a)PY",
        R"PY(a = []
a.append(a)
assert same(a)[0] is a)PY",
        R"PY(assert same(float('nan')) != same(float('nan')) and same(1) is not True and same(True) is True)PY",
        R"PY(assert same([1, 2.0, 'a', None] * 3) == [1, 2.0, 'a', None] * 3 and same((0.5,) * 9) == (0.5,) * 9)PY"}},
      {{"P", "Q", "f", "g"},
       R"PY(from collections import namedtuple
from typing import NamedTuple
P = namedtuple("P", "x y")
class Q(NamedTuple):
    x: int
    y: int = 3
    def total(self): return self.x + self.y
def f(): return P(1, 2)
def g(): return Q(1))PY",
       {R"PY(assert f().x == 1 and f() == (1, 2) and f() != (2, 1))PY",
        R"PY(x, y = f()
assert y == 2 and f()[0] == 1)PY",
        R"PY(assert repr(f()) == 'P(x=1, y=2)' and f()._asdict() == {'x': 1, 'y': 2} and f()._fields == ('x', 'y'))PY",
        R"PY(assert f()._replace(x=5) == (5, 2) and isinstance(f(), tuple) and isinstance(f(), P))PY",
        R"PY(assert g().total() == 4 and g() == Q(1, 3) and {g(): 1}[(1, 3)] == 1)PY"}},
      {{"C", "I", "f", "g"},
       R"PY(from enum import Enum, IntEnum
class C(Enum):
    A = 1
    B = "x"
class I(IntEnum):
    A = 7
def f(): return C.A
def g(): return I.A)PY",
       {R"PY(assert f() == C.A and f() is C.A and f() != C.B and f().value == 1 and f().name == 'A' and f() != 1)PY",
        R"PY(assert g() == 7 and g().name == 'A' and g() == I.A and g() + 1 == 8)PY",
        R"PY(assert C('x') is C.B and C['A'] is C.A and len(list(C)) == 2)PY",
        R"PY(assert {C.A: 1}[f()] == 1 and str(f()) == 'C.A' and isinstance(f(), C))PY"}},
      {{"P", "f"},
       R"PY(from dataclasses import dataclass
@dataclass(frozen=True, order=True)
class P:
    x: int
    y: int = 0
    def __add__(self, other): return P(self.x + other.x, self.y + other.y)
def f(): return P(1, 2))PY",
       {R"PY(assert f() == P(1, 2) and f() != P(1, 3) and f() < P(2) and f() + P(1, 1) == P(2, 3))PY",
        R"PY(assert repr(f()) == 'P(x=1, y=2)' and len({f(), P(1, 2)}) == 1 and sorted([P(3), P(1)])[0].x == 1)PY",
        R"PY(try:
  f().x = 3
except AttributeError: pass
else: raise AssertionError)PY"}},
      {{"V", "W"},
       R"PY(class V:
    def __init__(self, *a): self.a = a
    def __eq__(self, other): return self.a == other.a
    def __lt__(self, other): return self.a < other.a
    def __len__(self): return len(self.a)
    def __getitem__(self, i): return self.a[i]
    def __setitem__(self, i, value): self.a = self.a[:i] + (value,) + self.a[i + 1:]
    def __iter__(self): return iter(self.a)
    def __contains__(self, x): return x in self.a
    def __call__(self): return 5
    def __neg__(self): return V(*[-x for x in self.a])
    def __str__(self): return "V" + str(self.a)
    def __int__(self): return 4
    def __enter__(self): return 3
    def __exit__(self, *error): self.done = error[0]
class W(V):
    def __bool__(self): return True)PY",
       {R"PY(v = V(1, 2)
assert v == V(1, 2) and len(v) == 2 and v[0] == 1 and v[0:1] == (1,) and list(v) == [1, 2] and 2 in v and 3 not in v)PY",
        R"PY(assert V(1) and not V() and W() and V()() == 5 and -V(1) == V(-1) and str(V(1, 2)) == 'V(1, 2)' and f'{V()}' == 'V()' and int(V()) == 4)PY",
        R"PY(v = V(1)
v[0] = 4
assert v[0] == 4 and V(1) < V(2))PY",
        R"PY(v = V(1)
with v as x: assert x == 3
assert v.done is None)PY",
        R"PY(assert isinstance(W(), V) and not isinstance(V(), W) and not isinstance(3, V) and issubclass(W, V))PY",
        R"PY(a, b = V(1, 2)
assert b == 2)PY"}},
      {{"f", "g", "A"},
       R"PY(import functools
@functools.lru_cache
def f(x):
    '''Doc.'''
    return x
async def g(x): return x * 2
class A:
    x = 1
    @staticmethod
    def s(): return 2
    @classmethod
    def c(cls): return cls()
    @property
    def p(self): return 3)PY",
       {R"PY(assert f(2) == 2 and f(2) == 2 and f.cache_info().hits >= 1 and f.__name__ == 'f' and f.__doc__ == 'Doc.' and callable(f))PY",
        R"PY(import asyncio
assert asyncio.run(g(2)) == 4)PY",
        R"PY(import asyncio
async def main(): return await asyncio.gather(g(1), g(2))
assert asyncio.run(main()) == [2, 4])PY",
        R"PY(assert A.x == 1 and A.s() == 2 and isinstance(A.c(), A) and A().p == 3)PY",
        R"PY(a = A()
a.y = [1]
a.y.append(2)
assert a.y == [1, 2]
del a.y
assert not hasattr(a, 'y'))PY"}},
  });
}

TEST(CodeValues, AreDeepAndPrinted) {
  PARETOFL_NEEDS_SANDBOX();
  expect_to_pass({
      {{"f", "deep", "od"},
       R"PY(from collections import OrderedDict
print("early")
def f(x):
    print("x is", x)
    return x
def deep(x, n): return [deep(x, n - 1)] if n else x
def od(): return OrderedDict(a=1).keys())PY",
       {R"PY(import contextlib, io
with contextlib.redirect_stdout(io.StringIO()) as printed: f(2); f(3)
assert printed.getvalue() == "x is 2\nx is 3\n" and f(1) == 1)PY",
        R"PY(x, depth = deep(3, 600), 0
x = f(x)
while x != 3 and isinstance(x, list): x, depth = x[0], depth + 1
assert depth == 600 and x == 3)PY",
        "assert od() == {'a'} and list(od()) == ['a']",
        R"PY(from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as pool: assert list(pool.map(f, range(50))) == list(range(50)))PY"}},
  });
}

TEST(CodeGenerators, AreReadAsFarAsTestsReadThem) {
  PARETOFL_NEEDS_SANDBOX();
  expect_to_pass({
      {{"f", "g", "p"},
       R"PY(def f():
    n = 0
    while True:
        yield n
        n += 1
def g():
    yield 1
    raise ValueError("g")
def p():
    path = []
    for i in range(20):
        path.append(i)
        yield path)PY",
       {R"PY(import itertools
assert list(itertools.islice(f(), 5)) == [0, 1, 2, 3, 4] and sum(itertools.islice(f(), 3000)) == 4498500)PY",
        R"PY(it = f()
assert next(it) == 0 and next(it) == 1 and it.send(None) == 2)PY",
        R"PY(it = g()
assert next(it) == 1
try: next(it)
except ValueError as error: assert str(error) == 'g'
else: raise AssertionError)PY",
        R"PY(assert list(p()) == [list(range(20))] * 20)PY",
        R"PY(seen = []
for path in p(): seen.append(list(path))
assert seen == [list(range(n)) for n in range(1, 21)])PY",
        R"PY(import types, inspect
assert isinstance(f(), types.GeneratorType) and inspect.isgenerator(f()))PY"}},
  });
}

TEST(CodeErrors, KeepTheirClasses) {
  PARETOFL_NEEDS_SANDBOX();
  expect_to_pass({
      {{"Mine", "Sub", "Coded", "coded", "f", "j", "stop"},
       R"PY(import json
class Mine(ValueError):
    code = 5
    def __init__(self, text):
        super().__init__(text)
        self.more = text + "!"
class Sub(Mine): pass
class Coded(Exception):
    def __init__(self, text, code):
        super().__init__(text)
        self.code = code
def coded(x):
    error = Coded("x", 7)
    error.later = [x]
    raise error
class Shown(Exception):
    def __str__(self): return "shown"
def f(x): raise [Mine, Sub][x]("x")
def j(x): return json.loads(x)
def stop(x): raise [SystemExit(3), KeyboardInterrupt(), Shown(1)][x])PY",
       {R"PY(try: f(0)
except ValueError as e: assert str(e) == 'x' and e.args == ('x',) and e.more == 'x!' and e.code == 5
else: raise AssertionError)PY",
        R"PY(try: coded(3)
except Coded as e: assert str(e) == 'x' and e.code == 7 and e.later == [3] and not hasattr(e, 'none')
else: raise AssertionError)PY",
        R"PY(try: f(1)
except Mine as e: assert type(e) is Sub and type(e).__name__ == 'Sub'
else: raise AssertionError)PY",
        R"PY(try: f(0)
except Sub: raise AssertionError
except Mine: pass)PY",
        R"PY(import unittest
unittest.TestCase().assertRaises(Mine, f, 0)
with unittest.TestCase().assertRaises(Sub): f(1))PY",
        R"PY(assert issubclass(Sub, Mine) and issubclass(Mine, ValueError) and not issubclass(Mine, TypeError))PY",
        R"PY(import json
try: j('{')
except json.JSONDecodeError: pass
else: raise AssertionError)PY",
        R"PY(try: stop(0)
except SystemExit as e: assert e.code == 3
else: raise AssertionError)PY",
        R"PY(try: stop(1)
except KeyboardInterrupt: pass
else: raise AssertionError)PY",
        R"PY(try: stop(2)
except Exception as e: assert str(e) == 'shown'
else: raise AssertionError)PY"}},
  });
}

TEST(CodeChanges, ReachBothSides) {
  PARETOFL_NEEDS_SANDBOX();
  expect_to_pass({
      {{"f", "g", "h", "k", "first", "fails"},
       R"PY(def f(a): a.sort()
def g(d):
    d["x"] = [1]
    d["x"].append(2)
def h(s):
    s.add(3)
    s.discard(1)
def k(m):
    for row in m: row.reverse()
    m.append([9])
def first(a):
    a[0] = 1
    return a
def fails(a):
    a.append(1)
    raise ValueError)PY",
       {R"PY(a = [3, 1, 2]
f(a)
assert a == [1, 2, 3])PY",
        R"PY(a = [3, 1, 2]
assert f(a) is None
assert a != [3, 1, 2])PY",
        R"PY(d = {}
g(d)
assert d == {'x': [1, 2]})PY",
        R"PY(s = {1, 2}
h(s)
assert s == {2, 3})PY",
        R"PY(m = [[1, 2], [3, 4]]
row = m[0]
k(m)
assert m == [[2, 1], [4, 3], [9]] and row == [2, 1] and m[0] is row)PY",
        R"PY(m = [[1, 2]] * 2
k(m)
assert m == [[1, 2], [1, 2], [9]] and m[0] is m[1])PY",
        R"PY(a = [2, 1]
b = {'k': a}
f(b['k'])
assert a == [1, 2])PY",
        R"PY(a = [0]
b = first(a)
assert b is a and a == [1])PY",
        R"PY(b = bytearray(b'ab')
first(b)
assert b == b'\x01b')PY",
        R"PY(a = []
try: fails(a)
except ValueError: pass
assert a == [1])PY",
        R"PY(from collections import OrderedDict, defaultdict, deque
d = deque([5, 2])
first(d)
assert d == deque([1, 2])
e = defaultdict(int)
first(e)
assert e == {0: 1} and e[7] == 0
o = OrderedDict(a=1)
first(o)
assert list(o.items()) == [('a', 1), (0, 1)])PY",
        R"PY(a = [1, 2]
assert first(a) == [1, 2] and a == [1, 2]
a[1] = 5
assert first(a) == [1, 5])PY"}},
      {{"S", "T"},
       R"PY(class S:
    def __init__(self, a): self.a = a
    def sort(self): self.a.sort()
    def get(self): return self.a
class T(list):
    def push(self, x): self.append(x)
    def top(self): return self[-1])PY",
       {R"PY(a = [2, 1]
s = S(a)
s.sort()
assert a == [1, 2])PY",
        R"PY(a = [2, 1]
s = S(a)
a.append(0)
s.sort()
assert a == [0, 1, 2] and s.a is a and s.get() is a)PY",
        R"PY(s = S([])
s.get().append(4)
s.a.append(5)
assert s.a == [4, 5])PY",
        R"PY(t = T()
t.push(2)
t.append(3)
assert t == [2, 3] and t.top() == 3 and len(t) == 2 and isinstance(t, list) and isinstance(t, T))PY"}},
  });
}

TEST(CodeCallbacks, AreCalledBack) {
  PARETOFL_NEEDS_SANDBOX();
  expect_to_pass({
      {{"f", "s", "t", "c", "depth", "turned"},
       R"PY(def f(g, *x): return g(*x)
def s(xs, key): xs.sort(key=key)
def t(items): return sum(items)
def c(*fs): return lambda x: fs[0](fs[1](x))
def depth(t): return 0 if t is None else 1 + max(depth(t.left), depth(t.right))
def turned(t):
    if t: t.left, t.right = turned(t.right), turned(t.left)
    return t)PY",
       {R"PY(assert f(lambda x: x + 1, 2) == 3 and f(max, [1, 3]) == 3 and f(f, abs, -1) == 1)PY",
        R"PY(a = ['bb', 'a']
s(a, len)
assert a == ['a', 'bb']
s(a, lambda x: -len(x))
assert a == ['bb', 'a'])PY",
        R"PY(assert t(x for x in [1, 2]) == 3 and t(iter([1, 2])) == 3 and t(map(int, ['4'])) == 4)PY",
        R"PY(assert c(lambda x: x * 2, abs)(-3) == 6)PY",
        R"PY(import math, operator
assert f(math.sqrt, 4) == 2 and f(operator.neg, 2) == -2)PY",
        R"PY(try: f(lambda: 1 / 0)
except ZeroDivisionError: pass
else: raise AssertionError)PY",
        R"PY(from functools import partial
assert f(partial(pow, 2), 3) == 8)PY",
        R"PY(calls = []
f(calls.append, 3)
assert calls == [3] or calls == [])PY",
        R"PY(class Tree:
  def __init__(self, value, left=None, right=None): self.value, self.left, self.right = value, left, right
x = Tree(1, Tree(2))
assert depth(x) == 2 and turned(x) is x and x.right.value == 2 and x.left is None)PY"}},
  });
}

}  // namespace
}  // namespace paretofl
