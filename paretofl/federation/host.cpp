#include "paretofl/federation/host.h"

#include <sys/stat.h>

#include <fmt/format.h>

#include <chrono>
#include <span>

#include "paretofl/core/durable_file.h"
#include "paretofl/core/error.h"
#include "paretofl/federation/party_socket.h"
#include "paretofl/federation/resident_client.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/runs/agreement.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/federated_evaluation.h"
#include "paretofl/runs/folder_lock.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/runtimes/runtime_options.h"
#include "paretofl/strategies/strategy.h"

namespace paretofl {
namespace {

/// The party's secret, which its masks are derived from: made once, and kept beside its states.
Secret party_secret(const std::filesystem::path& folder) {
  constexpr const char* kWhat = "party's secret";
  const std::filesystem::path file = folder / "secret";
  std::filesystem::create_directories(folder);
  if (!std::filesystem::exists(file)) {
    DurableFile::replace(kWhat, file, std::as_bytes(std::span(Secret::random().bytes())));
  }
  const std::vector<std::byte> bytes = DurableFile::read(kWhat, file);
  try {
    return Secret(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
  } catch (const Error&) {
    throw Error(fmt::format("{}: expected a file of {} bytes, found {} in {}", kWhat, Secret::kSize, bytes.size(), file.string()));
  }
}

}  // namespace

int host(const HostRequest& request) {
  ::umask(077);  // what is written here is the party's alone
  Settings settings = request.settings ? *request.settings : load_config(request.config);
  apply_overrides(settings, request.overrides);
  name_loaded_plugins(settings);  // as the server does
  const ResolvedConfig resolved = resolve_config(settings);
  const RunConfig& config = resolved.config;
  config.expect_honest_parties();
  const auto options = read_options<RuntimeOptions>(config.runtime.settings, "runtime");
  const auto workload = request.data.empty() ? make_workload(config) : make_workload(config, ProblemPart{request.data, request.client});
  expect(workload->own_clients() == std::vector{request.client}, "host: expected the data of client {} and no other", request.client);
  Strategy strategy = strategies().at(config.strategy.name).make(config.strategy.settings, *workload);

  ResidentClient client({.client = request.client,
                         .factory = config.privacy.protect(with_held_out_evaluation(strategy.client, *workload),
                                                           static_cast<std::size_t>(workload->num_clients()),
                                                           [&](int) { return party_secret(request.state); }),
                         .dropout_rate = options.dropout_rate,
                         .agreed = agreement_of(resolved, *workload),
                         .folder = request.state,
                         .keep = static_cast<std::size_t>(config.checkpoint_keep) + 1});
  const FolderLock lock(request.state, "host", std::chrono::seconds(5));  // one that was killed may take a moment to go
  return serve_party_socket(
      request.socket, [&](std::span<const std::byte> bytes) { return client.answer(bytes); }, request.on_ready ? request.on_ready : [] {});
}

}  // namespace paretofl
