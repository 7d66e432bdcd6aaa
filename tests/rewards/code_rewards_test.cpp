#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/rewards/code_accuracy.h"
#include "paretofl/rewards/code_format.h"
#include "paretofl/rewards/code_tests.h"
#include "paretofl/rewards/code_text.h"
#include "tests/rewards/judged.h"
#include "tests/sandbox/hostile_programs.h"
#include "tests/sandbox/needs_sandbox.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const std::string kDouble =
    R"J({"tests": ["assert double(2) == 4", "assert double([1]) == [1, 1]", "assert double('') == ''"], "names": ["double"]})J";

CodeAccuracy::Options patient() { return {.at_once = 4, .sandbox = {.wall_seconds = 60, .memory_mb = 200}}; }

CodeAccuracy::Options short_runs() { return {.at_once = 4, .sandbox = {.wall_seconds = 4, .cpu_seconds = 1, .memory_mb = 200}}; }

TEST(CodeText, IsTheLastBlockOfPythonInTheAnswer) {
  EXPECT_EQ(code_text("x = 1"), "x = 1");
  EXPECT_EQ(code_text("Draft:\n```python\nx = 0\n```\nRather\n```\nx = 1\n\n```\n"), "x = 1\n\n");
  EXPECT_EQ(code_text("\ufeff```python\nx = 1\n```"), "x = 1\n");
  EXPECT_EQ(code_text("```PY title\nx = 1\n```\n```sh\nls\n```"), "x = 1\n");
  EXPECT_EQ(code_text("```\nx = 0\n```\n<answer>\n```\nx = 1\n```\n</answer>"), "x = 1\n");
  EXPECT_EQ(code_text("```\nx = 0\n```\n<answer>x = 1</answer>"), "x = 1");
  EXPECT_EQ(code_text("```python\ns = '```'\n```x\n   ```  \n"), "s = '```'\n```x\n");
  EXPECT_EQ(code_text("    ```\nx\n    ```"), "    ```\nx\n    ```") << "four spaces make no fence";
  EXPECT_EQ(code_text("1. So:\n   ```python\n   if x:\n       y\n   ```"), "if x:\n    y\n")
      << "a fence's indentation is no part of the code";
  EXPECT_EQ(code_text("1. So:\n\n    ```python\n    if x:\n        y\n    ```\n2. Done."), "if x:\n    y\n")
      << "deeper in an item of a list";
  EXPECT_EQ(code_text("- So:\n     ~~~\n     x\n     ~~~"), "x\n");
  EXPECT_EQ(code_text("- It is:\n\n```python\ns = \"\"\"\n    ```\n\"\"\"\n```"), "s = \"\"\"\n    ```\n\"\"\"\n")
      << "a text of the program";
  const std::string documented = "def f(x):\n    \"\"\"\n    ```python\n    f(2)\n    ```\n    \"\"\"\n    return x\n";
  EXPECT_EQ(code_text(documented), documented);
  EXPECT_EQ(code_text("```{.python}\nx = 1\n```\n```python:main.py\nx = 2\n```"), "x = 2\n");
  EXPECT_EQ(code_text("```python\r\nx = 1\r\n```\r\n"), "x = 1\r\n");
  EXPECT_EQ(code_text("Call ```f(2)``` and\n```f(3)```\n"), "Call ```f(2)``` and\n```f(3)```\n") << "code within a line is no fence";
  EXPECT_EQ(code_text("```\n```"), "");
  EXPECT_EQ(code_text(""), "");
}

TEST(CodeText, PrefersTheBlockThatDefinesWhatIsTested) {
  const std::vector<std::string> names{"f", "Node"};
  const std::string use = "\nUse it so:\n```python\nprint(f(2))\nfg = f == 2\n```";
  for (const std::string code : {"def f(x):\n    return x\n", "async  def f (x): pass\n", "class Node:\n    pass\n", "f = abs\n",
                                 "f: int = 3\n", "if 1:\n    def f(x): pass\n"}) {
    EXPECT_EQ(code_text("```python\ndef f(): 0\n```\n```python\n" + code + "```" + use, names), code);
  }
  EXPECT_EQ(code_text("```python\nx = 1\n```" + use, names), "print(f(2))\nfg = f == 2\n") << "the last one where none defines it";
}

TEST(CodeText, KnowsFencesOfEveryLengthAndKind) {
  EXPECT_EQ(code_text("````python\nx = '''\n```\n'''\n````"), "x = '''\n```\n'''\n");
  EXPECT_EQ(code_text("~~~python\nx = 1\n```\n~~~~\nDone."), "x = 1\n```\n");
  EXPECT_EQ(code_text("```python\nx = 1\n````\nDone."), "x = 1\n");
  EXPECT_EQ(code_text("````python\nx = 1\n```\nDone."), "x = 1\n") << "no fence closes it, but this one was meant to";
  EXPECT_EQ(code_text("~~~\nx = 1\n```\n"), "x = 1\n");
}

TEST(CodeText, KnowsTheMarksOfMbppsPrompts) {
  const std::vector<std::string> names{"f"};
  const std::string program = "def f(x):\n    return x\n";
  EXPECT_EQ(code_text("[BEGIN]\n" + program + "[DONE]", names), program);
  EXPECT_EQ(code_text("So:\r\n[BEGIN]\r\n" + program + " [DONE]\r\nThat is it.", names), program);
  EXPECT_EQ(code_text("<answer>[BEGIN]\n" + program + "[DONE]</answer>", names), program);
  EXPECT_EQ(code_text(program + "[DONE]\n\nNow write g.\n[BEGIN]\ndef g(x): pass\n[DONE]", names), program)
      << "the prompt has the beginning";
  EXPECT_EQ(code_text("[BEGIN]\ndef f(x): 0\n[DONE]\nRather:\n[BEGIN]\n" + program + "[DONE]", names), program);
  EXPECT_EQ(code_text("[BEGIN]\n" + program, names), program) << "cut off";
  EXPECT_EQ(code_text("[BEGIN]\n" + program + "[DONE]\n[BEGIN]\ndef f(", names), program) << "a whole block comes first";
  EXPECT_EQ(code_text("[PYTHON]\n" + program + "[/PYTHON]", names), program);
  EXPECT_EQ(code_text("[BEGIN]\n```python\n" + program + "```\n[DONE]\n", names), program);
  EXPECT_EQ(code_text("[BEGIN]\n```python\n" + program + "[DONE]\n", names), program);
  EXPECT_EQ(code_text("```python\n[BEGIN]\n" + program + "[DONE]\n```", names), program);
  EXPECT_EQ(code_text("    return x\n[DONE]", names), "    return x\n") << "what continues a prompt";
  EXPECT_EQ(code_text("[BEGIN]\nx = 1\n[DONE]"), "x = 1\n");
  const std::string text = "def f(x):\n    return \"\"\"\n[BEGIN]\n[DONE]\n\"\"\"\n";
  EXPECT_EQ(code_text("```python\n" + text + "```", names), text) << "a text of the program";
  EXPECT_EQ(code_text("[BEGIN]\nf(2)\n[DONE]\n```python\n" + program + "```", names), program);
}

TEST(CodeText, TakesHalfABlock) {
  EXPECT_EQ(code_text("So:\n```python\nx = 1"), "x = 1");
  EXPECT_EQ(code_text("So:\n```\nimport math\nx = 1\n"), "import math\nx = 1\n");
  EXPECT_EQ(code_text("```python\nx = 1\n```\nOr:\n```python\nx = "), "x = 1\n") << "a whole block comes first";
  EXPECT_EQ(code_text("x = 1\n```"), "x = 1\n");
  EXPECT_EQ(code_text("    return 3\n```\nThat is it."), "    return 3\n");
  EXPECT_EQ(code_text("def f(x):\n    return x\n```\nimport nothing else."), "def f(x):\n    return x\n");
  const std::vector<std::string> names{"f"};
  EXPECT_EQ(code_text("def f(x): pass\n```\nSo:\n```python\nf(2)\n```", names), "def f(x): pass\n");
  EXPECT_EQ(code_text("```python\nf(2)\n```\nOr:\n```python\ndef f(x): pass", names), "def f(x): pass");
  EXPECT_EQ(code_text("So.\n```\nf(2)\n```\n```python\nx = 1\n```", names), "x = 1\n");
  EXPECT_EQ(code_text("```"), "");
  EXPECT_EQ(code_text("```sh\nls"), "```sh\nls");
}

TEST(CodeAccuracy, PassesWhatPassesAllTests) {
  PARETOFL_NEEDS_SANDBOX();
  const CodeAccuracy reward(patient());
  EXPECT_EQ(judged(reward, "def double(x): return x + x", kDouble), 1);
  EXPECT_EQ(judged(reward, "Easy:\n```python\ndef double(x):\n    return x * 2\n```\nThat's it.", kDouble), 1);
  EXPECT_EQ(judged(reward, "import math\nclass A: pass\nprint(A())\ndouble = lambda x: 2 * x", kDouble), 1);
  EXPECT_EQ(judged(reward, "def double(x): return 2 * x if x else None", kDouble), 0);
  EXPECT_EQ(judged(reward, "def triple(x): return x * 3", kDouble), 0);
  EXPECT_EQ(judged(reward, "[BEGIN]\ndef double(x):\n    return x * 2\n[DONE]", kDouble), 1);
  EXPECT_EQ(judged(reward, "[BEGIN]\ndef double(x):\n    return x * 3\n[DONE]", kDouble), 0);
  EXPECT_EQ(judged(reward, "I cannot do that.", kDouble), 0);
  EXPECT_EQ(judged(reward, "", kDouble), 0);
  CodeAccuracy::Options options = patient();
  options.share = true;
  EXPECT_DOUBLE_EQ(judged(CodeAccuracy(options), "def double(x): return 2 * x if x else None", kDouble), 2.0 / 3);
}

TEST(CodeAccuracy, AnswersAreJudgedOneByOne) {
  PARETOFL_NEEDS_SANDBOX();
  const CodeAccuracy reward(patient());
  std::vector<Answer> answers;
  for (int i = 0; i < 12; ++i) {
    answers.push_back({"", "def f(): return " + std::to_string(i), R"J({"tests": ["assert f() % 3 == 0"], "names": ["f"]})J"});
  }
  EXPECT_THAT(reward.scores(answers), ElementsAre(1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0));
  EXPECT_THAT(reward.scores({}), ElementsAre());
}

TEST(CodeAccuracy, LetsTheFutureComeFirst) {
  PARETOFL_NEEDS_SANDBOX();
  const CodeAccuracy reward(patient());
  const std::string reference = nlohmann::json{
      {"prompt", "import math\n\ndef f(x: int) -> int:\n    \"\"\"Its half.\"\"\"\n"},
      {"check", "def check(candidate):\n    assert candidate(4) == 2\n"},
      {"entry_point", "f"}}.dump();
  const std::string annotated = "def f(x: Unknown) -> Unknown:\n    return math.floor(x / 2)\n";
  EXPECT_EQ(judged(reward, "```python\nfrom __future__ import annotations\n" + annotated + "```", reference), 1);
  EXPECT_EQ(judged(reward, "'''Doc.'''\nfrom __future__ import (\n    annotations,\n    division)\n" + annotated, reference), 1);
  EXPECT_EQ(judged(reward, annotated, reference), 0) << "annotations are evaluated without it";
  EXPECT_EQ(judged(reward, "from __future__ import unknown\n" + annotated, reference), 0);
}

TEST(CodeAccuracy, ContinuesAPromptOrReplacesIt) {
  PARETOFL_NEEDS_SANDBOX();
  const CodeAccuracy reward(patient());
  const nlohmann::json tests{
      {"prompt", "from typing import List\n\ndef one(): return 1\n\ndef f(x: List[int]) -> int:\n    \"\"\"The sum.\"\"\"\n"},
      {"check", "def check(candidate):\n    assert candidate([1, 2]) == 2 + one()\n    assert candidate([]) == 0\n"},
      {"entry_point", "f"}};
  const std::string reference = tests.dump();
  EXPECT_EQ(judged(reward, "    return sum(x)\n", reference), 1);
  EXPECT_EQ(judged(reward, "```python\ndef f(x: List[int]) -> int:\n    return sum(x)\n```", reference), 1);
  EXPECT_EQ(judged(reward, "    return 3\n", reference), 0);
  EXPECT_EQ(judged(reward, "    return None\n\ndef one(): return None", reference), 0);
  EXPECT_EQ(judged(reward, "    return 5 if x else 0\n\ndef one(): return 3", reference), 0) << "the tests have their own one()";
}

std::string tests_of(const std::vector<std::string>& names, const std::string& test, const std::string& setup = {}) {
  return nlohmann::json{{"names", names}, {"tests", std::vector<std::string>{test}}, {"setup", setup}}.dump();
}

TEST(CodeAccuracy, PassesAnyPlainDataAndHandlesOfTheRest) {
  PARETOFL_NEEDS_SANDBOX();
  const CodeAccuracy reward(patient());
  for (const std::string value : {"[1, (2, 'a'), {3: {4.5}}, None, True, b'\\xff', 2j]", "-(1 << 30000)", "'\\ud800\\n \\u4f60'",
                                  "frozenset([frozenset()])", "1e-300", "float('inf')", "int", "''", "{(): []}"}) {
    const std::string test = "x = same(" + value + ")\nassert x == " + value + " and type(x) is type(" + value + "), x";
    EXPECT_EQ(judged(reward, "def same(x): return x", tests_of({"same"}, test)), 1) << value;
  }
  const std::string trees = tests_of({"Node", "total"}, "assert total(t) == 8 and t.left.value == 5", "t = Node(3)\nt.left = Node(5)");
  const std::string node =
      "class Node:\n  left = None\n  def __init__(self, value): self.value = value\n"
      "def total(node): return node.value + total(node.left) if node else 0";
  EXPECT_EQ(judged(reward, node, trees), 1);
  EXPECT_EQ(judged(reward, "def f(n):\n  for i in range(n): yield i", tests_of({"f"}, "assert list(f(3)) == [0, 1, 2]")), 1);
  const std::string raises = tests_of({"f"}, "try: f(0)\nexcept ZeroDivisionError: pass\nelse: raise AssertionError");
  EXPECT_EQ(judged(reward, "def f(x): return 1 / x", raises), 1);
  EXPECT_EQ(judged(reward, "def f(x): return 0", raises), 0);
  const std::string modules = tests_of({"sum"}, "assert sum(2, 3) == math.sqrt(25) and len([1]) == 1");
  EXPECT_EQ(judged(reward, "def sum(a, b): return a + b", modules), 1) << "names may be those of builtins, and modules need no import";
  EXPECT_EQ(judged(reward, "class math: sqrt = lambda x: 6\ndef sum(a, b): return 6", modules), 0);
  EXPECT_EQ(judged(reward, "def len(x): return 7\ndef sum(a, b): return a + b", modules), 1) << "other names are Python's own";
}

TEST(CodeAccuracy, NoProgramMakesItsOwnVerdict) {
  PARETOFL_NEEDS_SANDBOX();
  const CodeAccuracy reward(short_runs());
  for (const char* program : {
           "import sys\nsys.exit(0)",
           "import os\nos._exit(0)",
           "import os\nos.write(1, b'+++')\nos._exit(0)",
           "print('+++', flush=True)",
           "import sys\nsys.stdout.write('+' * 3)\nsys.__stdout__.flush()\ndef double(x): return 0",
           "import os\nfor fd in range(64):\n  try: os.write(fd, b'+++')\n  except OSError: pass",
           "import atexit, os\natexit.register(lambda: os.write(1, b'+++'))",
           "class Yes:\n  def __eq__(self, other): return True\n  def __hash__(self): return 0\ndef double(x): return Yes()",
           "class Yes(int):\n  def __eq__(self, other): return True\ndef double(x): return Yes()",
           "class Yes(list):\n  def __eq__(self, other): return True\ndef double(x): return Yes()",
           "import builtins\nbuiltins.AssertionError = type('None', (BaseException,), {})\ndef double(x): return 0",
           "import builtins\nbuiltins.compile = lambda *a, **k: (lambda: 0).__code__\ndef double(x): return 0",
           "import builtins\nbuiltins.exec = lambda *a: None\ndef double(x): return 0",
           "import sys\nsys.settrace(lambda frame, event, argument: None)\nsys.excepthook = lambda *a: None\ndef double(x): raise "
           "AssertionError",
           "import sys\nframe = sys._getframe()\nwhile frame.f_back: frame = frame.f_back\nframe.f_globals['Names'].__missing__ = lambda "
           "s, n: lambda x: 2 * x if 0 else 0",
           "import gc\ndef double(x):\n  for o in gc.get_objects():\n    if type(o) is list and o and type(o[0]) is str and "
           "o[0].startswith('assert '): return eval(o[0].split('==')[1])",
           "import os\ndef double(x):\n  os.lseek(0, 0, 0)\n  return os.read(0, 100000)",
           "import os\nif os.fork() == 0:\n  while True: pass",
           "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
           "import os, signal\nos.kill(os.getppid(), signal.SIGINT)\ndef double(x): return 0",
           "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\ndef double(x): return 0",
           "import ctypes\nctypes.CDLL(None).ptrace(16, ctypes.CDLL(None).getppid(), 0, 0)\ndef double(x): return 0",
           "def double(x): raise SystemExit(0)",
           "def double(x): raise BaseException()",
           "def double(x):\n  import os\n  os.closerange(0, 64)",
           "import sys\nreplies = sys._getframe(1).f_locals['replies']\nreplies.write(b'0 0 value 1 any True\\n' * 3)\nreplies.flush()",
           "import sys\nreplies = sys._getframe(1).f_locals['replies']\nwhile True: replies.write(b'0 0 value ' * 10000)",
           "import sys\nreplies = sys._getframe(1).f_locals['replies']\nreplies.write(b'0 0 value 1 any ' + b'tuple 1 any ' * 100000 + "
           "b'\\n')\n"
           "replies.flush()",
           "import sys\nreplies = sys._getframe(1).f_locals['replies']\nreplies.write(b'0 0 raised 1 any error 1 any errortype builtins "
           "SystemExit 0 any 2 any None str \\n')\nreplies.flush()",
           "raise MemoryError",
           "def double(x):\n  x = [x]\n  x.append(x)\n  return x",
           "def double(x): return double",
       }) {
    EXPECT_EQ(judged(reward, program, kDouble), 0) << program;
  }
}

TEST(CodeAccuracy, HostileProgramsEarnNothing) {
  PARETOFL_NEEDS_SANDBOX();
  std::vector<Answer> answers;
  for (const HostileProgram& program : hostile_programs()) answers.push_back({"", program.text, kDouble});
  const std::vector<double> scores = CodeAccuracy(short_runs()).scores(answers);
  for (std::size_t i = 0; i < scores.size(); ++i) EXPECT_EQ(scores[i], 0) << hostile_programs()[i].name;
}

TEST(CodeAccuracy, RefusesReferencesThatAreNoTests) {
  const auto parse = [](const std::string& text) { return [text] { parse_code_tests(text, "file"); }; };
  EXPECT_THAT(parse("4"), ThrowsMessage<Error>(HasSubstr("file: expected an object")));
  EXPECT_THAT(parse("{"), ThrowsMessage<Error>(HasSubstr("file")));
  EXPECT_THAT(parse(R"({"names": ["f"]})"), ThrowsMessage<Error>(HasSubstr("tests")));
  EXPECT_THAT(parse(R"({"names": ["f"], "tests": []})"), ThrowsMessage<Error>(HasSubstr("expected texts in 'tests', found none")));
  EXPECT_THAT(parse(R"({"names": [1], "tests": ["x"]})"), ThrowsMessage<Error>(HasSubstr("expected texts in 'names', found number")));
  EXPECT_THAT(parse(R"({"check": "", "prompt": "x"})"), ThrowsMessage<Error>(HasSubstr("entry_point")));
}

TEST(CodeFormat, WantsOneBlockThatParses) {
  PARETOFL_NEEDS_SANDBOX();
  const CodeFormat reward({.sandbox = {.wall_seconds = 60, .cpu_seconds = 2, .memory_mb = 200}});
  const std::string good = "```python\nx = 1\n```";
  std::vector<Answer> answers;
  for (const std::string& completion :
       std::vector<std::string>{good, "So:\n" + good + "\nDone.", good + "\n" + good, "x = 1", "```\nx = 1\n```", "```sh\nls\n```",
                                "```python\nx = = 1\n```", "```python\nx = 1", "```python\nx = '\xff'\n```", "```python\nx = 1\0\n```",
                                "```py\nreturn\n```", "", "```\n```", "```\n" + std::string(1000000, '(') + "\n```",
                                "```\n" + std::string(1000000, '-') + "1\n```", "```\nx = '\\d' is 3\n```", good}) {
    answers.push_back({"", completion});
  }
  EXPECT_THAT(reward.scores(answers), ElementsAre(1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1));
  EXPECT_THAT(reward.scores({}), ElementsAre());
  const std::vector<Answer> many(2500, {"", good});
  EXPECT_THAT(reward.scores(many), testing::Each(1));
}

// Texts that together take longer than the limit on computing time allows one start, each far less.
TEST(CodeFormat, HasTimeForEachText) {
  PARETOFL_NEEDS_SANDBOX();
  const CodeFormat reward({.sandbox = {.wall_seconds = 60, .cpu_seconds = 1, .memory_mb = 200}});
  std::string block = "```python\n";
  for (int line = 0; line < 1500; ++line) block += "x = [1, 2, (3 + 4) * 5]\n";
  const std::vector<Answer> many(150, {"", block + "```"});
  EXPECT_THAT(reward.scores(many), testing::Each(1));
}

}  // namespace
}  // namespace paretofl
