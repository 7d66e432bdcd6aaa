#include "paretofl/federation/host.h"

#include <sys/stat.h>

#include <chrono>

#include "paretofl/core/error.h"
#include "paretofl/dp_sgd/private_workload.h"
#include "paretofl/evaluation/federated_evaluation.h"
#include "paretofl/federation/party_socket.h"
#include "paretofl/federation/resident_client.h"
#include "paretofl/files/data_ledger.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/runs/agreement.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/folder_lock.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/runtimes/runtime_options.h"
#include "paretofl/secure_sums/secret_file.h"

namespace paretofl {
int host(const HostRequest& request) {
  ::umask(077);  // what is written here is the party's alone
  Settings settings = request.settings ? *request.settings : load_config(request.config);
  apply_overrides(settings, request.overrides);
  name_loaded_plugins(settings);  // as the server does
  const ResolvedConfig resolved = resolve_config(settings);
  const RunConfig& config = resolved.config;
  config.privacy.check();
  config.expect_honest_parties();
  const auto options = read_options<RuntimeOptions>(config.runtime.settings, "runtime");
  DataLedger::begin(request.data.empty() ? std::filesystem::path(config.data_root) : request.data);
  const auto workload = request.data.empty() ? make_workload(config) : make_workload(config, ProblemPart{request.data, request.client});
  expect(workload->own_clients() == std::vector{request.client}, "host: expected the data of client {} and no other", request.client);
  const auto secret = [&](int) { return secret_in("party's secret", request.state / "secret"); };
  const auto trained = config.privacy.example.clips() ? std::make_unique<PrivateWorkload>(*workload, config.privacy, secret) : nullptr;
  Strategy strategy = strategies().at(config.strategy.name).make(config.strategy.settings, trained ? *trained : *workload);

  // Figures of what the party holds out are exact: it answers with them only where its own settings say so.
  const ClientFactory factory = config.evaluation_federated ? with_held_out_evaluation(strategy.client, *workload) : strategy.client;
  ResidentClient client(
      {.client = request.client,
       .factory = config.privacy.protect(factory, static_cast<std::size_t>(workload->num_clients()), *workload->layout(), secret),
       .dropout_rate = options.dropout_rate,
       .agreed = agreement_of(resolved, *workload),
       .data = DataLedger::fingerprint(),
       .folder = request.state,
       .keep = static_cast<std::size_t>(config.checkpoint_keep) + 1});
  const FolderLock lock(request.state, "host", std::chrono::seconds(5));  // one that was killed may take a moment to go
  return serve_party_socket(
      request.socket, [&](std::span<const std::byte> bytes) { return client.answer(bytes); }, request.on_ready ? request.on_ready : [] {});
}

}  // namespace paretofl
