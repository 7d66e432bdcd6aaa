#include <fmt/format.h>
#include <js/CompilationAndEvaluation.h>
#include <js/Conversions.h>
#include <js/Initialization.h>
#include <js/SourceText.h>
#include <jsapi.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::uint32_t kMostBytes = 4'000'000'000;
constexpr std::size_t kMostStack = 2'000'000;  // bytes, of which a thread's stack has eight million

/// SpiderMonkey, which is begun and ended once in a process.
struct Engine {
  Engine() { expect(JS_Init(), "expected the JavaScript engine to begin, found that it does not"); }
  ~Engine() { JS_ShutDown(); }
};

struct ContextEnd {
  void operator()(JSContext* context) const { JS_DestroyContext(context); }
};

std::string text_of(JSContext* context, JS::HandleValue value) {
  const JS::RootedString text(context, JS::ToString(context, value));
  JS::UniqueChars bytes;
  if (text) bytes = JS_EncodeStringToUTF8(context, text);
  return bytes ? std::string(bytes.get()) : "a value that is no text";
}

/// What the script that failed threw.
std::string thrown(JSContext* context) {
  JS::RootedValue exception(context);
  if (!JS_GetPendingException(context, &exception)) return "no memory or no end of it";
  JS_ClearPendingException(context);
  return text_of(context, exception);
}

/// As `run_javascript`.
std::string run_scripts(const std::vector<std::string_view>& scripts) {
  static const Engine kEngine;
  const std::unique_ptr<JSContext, ContextEnd> owner(JS_NewContext(kMostBytes));
  JSContext* context = owner.get();
  expect(context != nullptr && JS::InitSelfHostedCode(context), "expected memory for the JavaScript engine, found none");
  JS_SetNativeStackQuota(context, kMostStack);
  static const JSClass kGlobalClass = {"global", JSCLASS_GLOBAL_FLAGS, &JS::DefaultGlobalClassOps, nullptr, nullptr, nullptr};
  const JS::RealmOptions options;
  const JS::RootedObject global(context, JS_NewGlobalObject(context, &kGlobalClass, nullptr, JS::FireOnNewGlobalHook, options));
  expect(global != nullptr, "expected memory for the JavaScript engine, found none");
  const JSAutoRealm realm(context, global);
  JS::RootedValue value(context);
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    JS::CompileOptions compile(context);
    compile.setFileAndLine("page", 1);
    JS::SourceText<mozilla::Utf8Unit> source;
    if (!source.init(context, scripts[i].data(), scripts[i].size(), JS::SourceOwnership::Borrowed) ||
        !JS::Evaluate(context, compile, source, &value)) {
      throw Error(fmt::format("expected the page's script {} to run, found {}", i + 1, thrown(context)));
    }
  }
  return text_of(context, value);
}

}  // namespace
}  // namespace paretofl

/// What paretofl/report/javascript.cpp looks up.
extern "C" void paretofl_run_javascript(const std::vector<std::string_view>* scripts, std::string* result) {
  *result = paretofl::run_scripts(*scripts);
}
