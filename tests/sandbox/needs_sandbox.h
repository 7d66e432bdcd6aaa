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

}  // namespace paretofl

/// First line of a test that runs untrusted programs: skips it where the machine has no namespaces or no bubblewrap.
#define PARETOFL_NEEDS_SANDBOX()                                                                         \
  if (!::paretofl::system_has_sandboxes()) {                                                             \
    GTEST_SKIP() << "NOT TESTED: bwrap cannot make namespaces here, so no untrusted program can be run"; \
  }                                                                                                      \
  static_assert(true)
