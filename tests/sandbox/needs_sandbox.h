#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace paretofl {

/// Whether this machine lets anyone make the namespaces of a sandbox; it asks without code of ours.
inline bool system_has_sandboxes() {
  static const bool kHas = [] {
    const std::string user = ::geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
    return std::system(
               (user + "bwrap --unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --ro-bind / / true").c_str()) == 0;
  }();
  return kHas;
}

/// Whether a machine without sandboxes is a failure: PARETOFL_REQUIRE_SANDBOX=1.
inline bool sandbox_required() {
  const char* required = std::getenv("PARETOFL_REQUIRE_SANDBOX");
  return required != nullptr && std::string(required) == "1";
}

}  // namespace paretofl

/// First line of a test that runs untrusted programs: skips the test, or fails it where a sandbox is required, unless the
/// machine has namespaces and bubblewrap.
#define PARETOFL_NEEDS_SANDBOX()                                                                         \
  if (!::paretofl::system_has_sandboxes()) {                                                             \
    if (::paretofl::sandbox_required()) FAIL() << "bwrap cannot make namespaces here";                   \
    GTEST_SKIP() << "NOT TESTED: bwrap cannot make namespaces here, so no untrusted program can be run"; \
  }                                                                                                      \
  static_assert(true)
