#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/serve/access.h"
#include "paretofl/serve/event_id.h"
#include "paretofl/serve/request_head.h"
#include "paretofl/serve/route.h"
#include "paretofl/serve/run_figures.h"

// Any text is a request's head, path, id, host, token and row of metrics.jsonl, or none of them, and what is kept of it keeps its form.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto used = paretofl::used_head(text)) {
    if (used->size() > text.size() || used->find("\r\n\r\n") + 4 != used->size() || used->find('\0') != std::string::npos) std::abort();
    if (paretofl::used_head(*used) != used) std::abort();
  }
  const paretofl::Route route = paretofl::Route::of(text);
  if (route.run.find('/') != std::string::npos || route.run == ".." || route.run.size() > size) std::abort();
  if (const auto id = paretofl::EventId::parse(text); id && id->text() != text) std::abort();
  if (paretofl::is_own_host(text) && text.size() > std::string_view("127.255.255.255:").size() + size) std::abort();
  if (!paretofl::same_secret(text, std::string(text)) || paretofl::same_secret(text, std::string(text) + "x")) std::abort();
  if (paretofl::bearer_token(text).size() > size) std::abort();
  try {
    paretofl::expect_token(text);
  } catch (const paretofl::Error&) {
  }
  paretofl::RunFigures figures;
  figures.add(R"({"round":1})", "first");
  try {
    figures.add(text, "second");
    if (figures.rows != 2 || figures.round < 2) std::abort();
  } catch (const paretofl::Error& error) {
    if (figures.rows != 1 || std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
