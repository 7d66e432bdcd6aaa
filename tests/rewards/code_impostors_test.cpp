// Programs whose values, or exceptions, stand in for what a test expects of them.
#include <gtest/gtest.h>

#include "paretofl/rewards/code_accuracy.h"
#include "tests/rewards/tested_program.h"
#include "tests/sandbox/needs_sandbox.h"

namespace paretofl {
namespace {

// What earns nothing although the program's own interpreter would let some of it pass: the program ends a loop of the tests, or
// compares itself with what they expect.
TEST(CodeAccuracy, ImpostorsEarnNothing) {
  PARETOFL_NEEDS_SANDBOX();
  const std::vector<TestedProgram> rows = {
      {{"f"},
       R"PY(import sys
replies = sys._getframe(1).f_locals["replies"]
def f(x):
    replies.write([b"0 0 value 9 any\n", b"0 0 raised 1 any errortype builtins StopIteration\n", b"0 0 value\n", b"1\n", b"\n",
                   b"0 0 raised 1 any error 1 any errortype builtins StopIteration 0 any 2 any None str \n",
                   b"0 0 value 1 any errortype os system\n", b"0 0 value 1 any type exec\n", b"0 0 value 1 any yours 0\n",
                   b"0 0 value 1 any same 0\n", b"0 1 0 0 any value 1 any True\n"][x])
    replies.flush())PY",
       {"assert all(map(f, [0]))", "assert all(map(f, [1]))", "assert all(map(f, [2]))", "assert all(map(f, [3]))",
        "assert all(map(f, [4]))", "assert all(map(f, [5]))", "assert all(map(f, [6]))", "assert f(7)", "assert f(8)", "assert f(9)",
        "assert f(10)"}},
      {{"sum"},
       R"PY(import sys
replies = sys._getframe(1).f_locals["replies"]
replies.write(b"0 0 raised 1 any error 1 any errortype builtins KeyError 0 any 2 any None str \n")
replies.flush())PY",
       {"assert sum([1, 2]) == 3"}},
      {{"sum"}, "x = 3", {"assert sum([1, 2]) == 3"}},
      {{"f"}, "def f(x): return '+' * 100000", {"print(f(2), flush=True)\nassert False"}},
      {{"f"},
       R"PY(def f(x): raise StopIteration)PY",
       {R"PY(assert all(map(f, [1, 2])))PY", R"PY(assert list(map(f, [1])) == [])PY", R"PY(assert sum(map(f, [1])) == 0)PY",
        R"PY(for x in map(f, [1]): assert False)PY", R"PY(assert not any(map(f, [1])))PY", R"PY(assert sorted(filter(f, [1])) == [])PY"}},
      {{"f"},
       R"PY(class End(StopIteration): pass
def f(x): raise End)PY",
       {R"PY(assert all(map(f, [1, 2])))PY"}},
      {{"f"}, R"PY(def f(x): raise GeneratorExit)PY", {R"PY(assert all(map(f, [1])))PY", R"PY(assert all(f(x) for x in [1]))PY"}},
      {{"f"}, R"PY(def f(x): raise SystemExit(0))PY", {R"PY(f(1))PY"}},
      {{"f"},
       R"PY(from collections import deque
def f(x): return deque())PY",
       {R"PY(assert f(2))PY"}},
      {{"f"},
       R"PY(class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __sub__(self, other): return 0
    __rsub__ = __mod__ = __sub__
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __contains__ = __lt__
    def __abs__(self): return 0
    def __hash__(self): return hash(4)
    def __iter__(self): return iter([])
    def __enter__(self): return self
    def __exit__(self, *error): return True
def f(x): return Yes())PY",
       {R"PY(assert f(2) == 4)PY", R"PY(assert 4 == f(2))PY", R"PY(assert not f(2) != 4)PY", R"PY(assert f(2) in [4])PY",
        R"PY(assert 4 in f(2))PY", R"PY(assert [f(2)] == [4])PY", R"PY(assert {f(2): 1} == {4: 1})PY", R"PY(assert abs(f(2) - 4) < 1)PY",
        R"PY(assert abs(4 - f(2)) < 1)PY", R"PY(assert f(2) < 5)PY", R"PY(assert f(2) >= 4)PY", R"PY(assert f(2) % 2 == 0)PY",
        R"PY(with f(2): assert False)PY"}},
      {{"f"},
       R"PY(class Int(int):
    def __eq__(self, other): return True
    def __sub__(self, other): return 0
    def __hash__(self): return 4
def f(x): return Int(7))PY",
       {R"PY(assert f(2) == 4)PY", R"PY(assert f(2) in (4,))PY", R"PY(assert abs(f(2) - 4) < 1)PY", R"PY(assert f(2) in {4: 1})PY"}},
      {{"f"},
       R"PY(class List(list):
    def __eq__(self, other): return True
    def __len__(self): return 4
    def __contains__(self, x): return True
    def __iter__(self): return iter([4])
def f(x): return List())PY",
       {R"PY(assert f(2) == [4])PY", R"PY(assert len(f(2)) == 4)PY", R"PY(assert 4 in f(2))PY", R"PY(assert list(f(2)) == [4])PY",
        R"PY(assert f(2))PY"}},
      {{"f"},
       R"PY(class Float(float):
    def __sub__(self, other): return 0
    def __lt__(self, other): return True
    def __round__(self, digits): return 4
def f(x): return Float(9))PY",
       {R"PY(assert abs(f(2) - 4) < 1e-6)PY", R"PY(assert f(2) < 5)PY", R"PY(assert round(f(2), 2) == 4)PY"}},
      {{"f"},
       R"PY(def f(g):
    for name in ["__globals__", "__code__", "__self__", "__class__.__base__"]:
        try:
            if getattr(g, name) is not None: return 4
        except AttributeError: pass
    return 0)PY",
       {R"PY(assert f(lambda: 1) == 4)PY",
        R"PY(class A:
  _hidden = 1
  def m(self): pass
assert f(A()) == 4)PY",
        R"PY(assert f((x for x in [1])) == 4)PY"}},
      {{"f"}, R"PY(class f(dict): pass)PY", {R"PY(assert f(2))PY"}},
  };
  const std::vector<Answer> answers = answers_of(rows);
  const std::vector<double> scores =
      CodeAccuracy({.share = true, .at_once = 4, .sandbox = {.wall_seconds = 60, .memory_mb = 200}}).scores(answers);
  for (std::size_t i = 0; i < answers.size(); ++i) EXPECT_EQ(scores[i], 0) << answers[i].completion << '\n' << answers[i].prompt;
}

}  // namespace
}  // namespace paretofl
