// What a server reads from the messages of one client: the labels of its batch, and the image of a batch of one. Without protection, from
// the client's own messages of FSMGDA and FedCMOO; with secure aggregation, from the masked values of the same client and from the sum over
// the cohort. experiments/leakage describes it.
// Usage: gradient_leakage MNIST_FOLDER [REPEATS]
//
// The clients hold rows of a table: the pixels of a digit, the digit, and whether it is even (two objectives). The model has one hidden
// layer. The attacks are closed forms on the gradients of the first local step:
// - labels (Zhao et al. 2020, iDLG; Yin et al. 2021): the gradient of a head's bias is mean(p - y). A new model has p of about 1 / C for
// each
//   of the C classes, so that B (1 / C - gradient) is about the number of samples of each class in a batch of B.
// - the image of a batch of one: a row of the first layer's weight gradient is delta x, that of its bias delta.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/core/server.h"
#include "paretofl/images/idx_file.h"
#include "paretofl/images/idx_image_folder.h"
#include "paretofl/privacy/fixed_point.h"
#include "paretofl/privacy/privacy_options.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/runtimes/threads.h"

using namespace paretofl;

constexpr int kClients = 20;
constexpr std::size_t kPixels = 784;
constexpr double kClientRate = 0.1;
constexpr std::array<std::size_t, 2> kClasses{10, 2};  // of the objectives digit and even

/// What one client holds.
struct Client {
  std::vector<std::array<float, kPixels>> images;
  std::array<std::vector<int>, 2> labels;
};

/// Deals images to the clients and writes one CSV file for each.
std::vector<Client> write_clients(const std::filesystem::path& mnist, const std::filesystem::path& folder, std::size_t batch,
                                  Random random) {
  const IdxFile images = read_idx(find_idx(mnist, idx_images_name(DataPart::kTrain)), 3);
  const IdxFile labels = read_idx(find_idx(mnist, idx_labels_name(DataPart::kTrain)), 1);
  const std::vector<std::size_t> drawn = random.sample_without_replacement(labels.values.size(), kClients * batch);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::vector<Client> clients(kClients);
  for (std::size_t c = 0; c < clients.size(); ++c) {
    std::ofstream file(folder / fmt::format("client{:02}.csv", c));
    for (std::size_t j = 0; j < kPixels; ++j) file << 'p' << j << ',';
    file << "digit,even,part\n";
    for (int digit = 0; digit < 10; ++digit) {  // held out, so that every class is known and the batch is all that the client trains on
      for (std::size_t j = 0; j < kPixels; ++j) file << "0,";
      file << digit << ',' << (digit % 2 == 0 ? "yes" : "no") << ",test\n";
    }
    for (std::size_t i = c * batch; i < (c + 1) * batch; ++i) {
      std::array<float, kPixels>& image = clients[c].images.emplace_back();
      for (std::size_t j = 0; j < kPixels; ++j) {
        image[j] = static_cast<float>(images.values[drawn[i] * kPixels + j]) / 255;
        file << image[j] << ',';
      }
      const int digit = labels.values[drawn[i]];
      clients[c].labels[0].push_back(digit);
      clients[c].labels[1].push_back(digit % 2 == 0 ? 1 : 0);
      file << digit << ',' << (digit % 2 == 0 ? "yes" : "no") << ",train\n";
    }
  }
  return clients;
}

/// Keeps what the server receives, and the weights that it has sent.
class TappingRuntime : public Runtime {
 public:
  explicit TappingRuntime(Runtime& inner) : inner_(inner) {}
  Exchange exchange(std::span<const Envelope> envelopes, const OnReply& on_reply, const ExchangeLimits& limits) override {
    for (const Envelope& envelope : envelopes) {
      if (!envelope.request.objective_weights.empty()) lambda_ = envelope.request.objective_weights;
    }
    return inner_.exchange(
        envelopes,
        [&](Reply& reply) {
          received_[reply.client].push_back(reply);
          if (on_reply) on_reply(reply);
        },
        limits);
  }
  /// Client `client`'s update, as far as the server can tell: as sent, or the masked values of the request for it, read as they stand. Of
  /// the messages, the update is the last with so many numbers.
  std::vector<float> update(int client, std::size_t size) const {
    std::vector<float> found;
    for (const Reply& reply : received_.at(client)) {
      if (reply.update.size() == size) found = reply.update;
      const auto masked = reply.extra.arrays.find("masked");
      if (masked == reply.extra.arrays.end() || masked->second.size() < 1 + size) continue;
      const FixedPoint fixed_point(32, kClients);
      found.clear();
      for (const std::int64_t value : masked->second.ints().subspan(1, size)) {
        found.push_back(static_cast<float>(fixed_point.decode(static_cast<std::uint64_t>(value))));
      }
    }
    expect(!found.empty(), "leakage: expected an update of {} numbers from client {}, found none", size, client);
    return found;
  }
  const std::vector<double>& lambda() const { return lambda_; }

 private:
  Runtime& inner_;
  std::map<int, std::vector<Reply>> received_;
  std::vector<double> lambda_;
};

/// Keeps the mean update over the cohort, the most that the server learns of updates under secure aggregation.
class TappingSummation : public Summation {
 public:
  explicit TappingSummation(Summation& inner) : inner_(inner) {}
  CohortMean sum(Round& round, const Cohort& cohort, const Request& request, const SumSpec& spec) override {
    CohortMean mean = inner_.sum(round, cohort, request, spec);
    if (!mean.update.empty()) update_ = mean.update;
    return mean;
  }
  const std::vector<float>& update() const { return update_; }

 private:
  Summation& inner_;
  std::vector<float> update_;
};

/// Shares of labels found, by objective, and how like the found images are to the true ones.
struct Found {
  std::array<double, 2> labels{};
  double images = 0, correlation = 0, psnr = 0, updates = 0;

  void add_labels(std::size_t objective, std::vector<int> guessed, std::vector<int> truth) {
    std::sort(guessed.begin(), guessed.end());
    std::sort(truth.begin(), truth.end());
    std::vector<int> common;
    std::set_intersection(guessed.begin(), guessed.end(), truth.begin(), truth.end(), std::back_inserter(common));
    labels[objective] += static_cast<double>(common.size()) / static_cast<double>(truth.size());
  }
  void add_image(std::span<const float> guessed, std::span<const float> truth) {
    const auto mean = [](std::span<const float> x) { return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size()); };
    const double a = mean(guessed), b = mean(truth);
    double ab = 0, aa = 0, bb = 0, error = 0;
    for (std::size_t j = 0; j < truth.size(); ++j) {
      ab += (guessed[j] - a) * (truth[j] - b);
      aa += (guessed[j] - a) * (guessed[j] - a);
      bb += (truth[j] - b) * (truth[j] - b);
      error += std::pow(std::clamp(guessed[j], 0.0F, 1.0F) - truth[j], 2) / static_cast<double>(truth.size());
    }
    correlation += aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
    psnr += -10 * std::log10(std::max(error, 1e-12));
    images += 1;
  }
};

/// The labels of a batch of `batch` from the gradient of a head's bias: as many of each class as the gradient says, the largest remainders
/// first.
std::vector<int> labels_from(std::span<const float> bias_gradient, std::size_t batch) {
  const auto classes = static_cast<double>(bias_gradient.size());
  std::vector<double> wanted;
  for (const float g : bias_gradient) wanted.push_back(static_cast<double>(batch) * (1 / classes - g));
  std::vector<int> labels;
  while (labels.size() < batch) {
    const auto most = std::max_element(wanted.begin(), wanted.end());
    labels.push_back(static_cast<int>(most - wanted.begin()));
    *most -= 1;
  }
  return labels;
}

/// The image of a batch of one from the gradient of the first layer, by the row whose bias gradient is largest.
std::vector<float> image_from(std::span<const float> weight_gradient, std::span<const float> bias_gradient) {
  const auto largest =
      std::max_element(bias_gradient.begin(), bias_gradient.end(), [](float a, float b) { return std::abs(a) < std::abs(b); });
  const auto row = weight_gradient.subspan(static_cast<std::size_t>(largest - bias_gradient.begin()) * kPixels, kPixels);
  std::vector<float> image;
  for (const float x : row) image.push_back(*largest == 0 ? 0 : x / *largest);
  return image;
}

std::span<const float> slice_of(std::span<const float> gradient, const Layout& layout, const std::string& name) {
  const Range range = layout.slice(name).range;
  return gradient.subspan(range.begin, range.size());
}

/// Attacks one client by gradients [d] of each objective.
void attack(Found& found, const std::array<std::vector<float>, 2>& gradients, const Layout& layout, const Client& client) {
  const std::size_t batch = client.images.size();
  for (std::size_t k = 0; k < 2; ++k) {
    found.add_labels(k, labels_from(slice_of(gradients[k], layout, fmt::format("head{}.bias", k)), batch), client.labels[k]);
  }
  if (batch == 1) {
    found.add_image(image_from(slice_of(gradients[0], layout, "body.0.weight"), slice_of(gradients[0], layout, "body.0.bias")),
                    client.images[0]);
  }
  found.updates += 1;
}

/// What someone finds who reads nothing: labels at random, and another client's image.
void guess(Found& found, const Client& client, const Client& another, Random& random) {
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<int> labels;
    while (labels.size() < client.images.size()) labels.push_back(static_cast<int>(random.below(kClasses[k])));
    found.add_labels(k, labels, client.labels[k]);
  }
  if (client.images.size() == 1) found.add_image(another.images[0], client.images[0]);
  found.updates += 1;
}

/// The gradients of each objective from what a strategy's clients send: M updates, or one whose heads are scaled by lambda.
std::array<std::vector<float>, 2> gradients_of(std::span<const float> update, std::size_t size, const std::vector<double>& lambda) {
  std::array<std::vector<float>, 2> gradients;
  for (std::size_t k = 0; k < 2; ++k) {
    const bool each = update.size() == 2 * size;
    const auto own = each ? update.subspan(k * size, size) : update;
    for (const float x : own) gradients[k].push_back(static_cast<float>(x / (kClientRate * (each ? 1 : std::max(lambda[k], 1e-3)))));
  }
  return gradients;
}

Settings settings_with(const std::map<std::string, Settings::Value>& values) {
  Settings settings;
  for (const auto& [key, value] : values) settings.values.emplace(key, value);
  return settings;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "gradient_leakage: expected MNIST_FOLDER [REPEATS], found no folder\n");
    return 1;
  }
  try {
    const int repeats = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "gradient_leakage";
    fmt::print(
        "| strategy | batch | what the server reads | digits found, % | parities found, % | image: correlation | image: PSNR, dB |\n"
        "|---|---|---|---|---|---|---|\n");
    for (const std::string strategy : {"fsmgda", "fedcmoo"}) {
      for (const std::size_t batch : {std::size_t{1}, std::size_t{8}}) {
        std::map<std::string, Found> found;
        for (int repeat = 1; repeat <= repeats; ++repeat) {
          const auto seed = static_cast<std::uint64_t>(repeat);
          const std::vector<Client> clients = write_clients(argv[1], folder, batch, Random({seed, 0, 0}, "leakage"));
          Settings table = settings_with({{"files", std::string("*.csv")},
                                          {"targets", std::vector<std::string>{"digit", "even"}},
                                          {"losses", std::vector<std::string>{"cross_entropy", "cross_entropy"}},
                                          {"standardize", false},
                                          {"split_column", std::string("part")},
                                          {"batch_size", static_cast<std::int64_t>(batch)},
                                          {"hidden", std::vector<double>{128}}});
          const auto workload = workloads().at("table").make(table, {seed, folder, {}});
          const std::size_t size = workload->layout()->size();
          for (const bool secure : {false, true}) {
            Settings settings =
                settings_with({{"cohort_size", std::int64_t{kClients}}, {"local_steps", std::int64_t{1}}, {"client_lr", kClientRate}});
            if (strategy == "fedcmoo") settings.values.emplace("compressor", std::string("random_projection"));
            PrivacyOptions privacy;
            privacy.secure_aggregation = secure;
            Releases releases = privacy.releases(kClients, *workload->layout(), simulated_noise_key(seed));
            const auto secure_sum = privacy.summation(releases);
            std::unique_ptr<TappingSummation> summation;
            if (secure) summation = std::make_unique<TappingSummation>(*secure_sum);
            Strategy made = strategies().at(strategy).make(settings, *workload);
            ThreadPool pool(1);
            const auto threads =
                make_threads_runtime({.threads = 1, .through_wire = true}, pool,
                                     privacy.protect(std::move(made.client), kClients, *workload->layout(), simulated_secrets(seed)));
            TappingRuntime tap(*threads);
            Server server(std::move(made.server), tap, {.seed = seed, .num_clients = kClients, .summation = summation.get()},
                          workload->initial_parameters());
            server.run_round(1);
            const std::size_t sent = strategy == "fsmgda" ? 2 * size : size;
            Random random({seed, 1, 0}, "guesses");
            for (int c = 0; c < kClients; ++c) {
              const Client& client = clients[static_cast<std::size_t>(c)];
              const Layout& layout = *workload->layout();
              attack(found[secure ? "2 its masked values" : "1 its update"], gradients_of(tap.update(c, sent), size, tap.lambda()), layout,
                     client);
              if (!secure) guess(found["4 nothing, but guesses"], client, clients[static_cast<std::size_t>((c + 1) % kClients)], random);
              if (secure) attack(found["3 the sum over the cohort"], gradients_of(summation->update(), size, tap.lambda()), layout, client);
            }
          }
        }
        for (const auto& [name, all] : found) {
          const Found& tally = all;
          const auto percent = [&tally](std::size_t k) { return 100 * tally.labels[k] / tally.updates; };
          const std::string image =
              all.images > 0 ? fmt::format("{:.2f} | {:.1f}", all.correlation / all.images, all.psnr / all.images) : "- | -";
          fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {} |\n", strategy, batch, name.substr(2), percent(0), percent(1), image);
        }
      }
    }
    std::filesystem::remove_all(folder);
  } catch (const Error& error) {
    fmt::print(stderr, "gradient_leakage: {}\n", error.what());
    return 1;
  }
  return 0;
}
