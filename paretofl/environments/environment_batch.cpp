#include "paretofl/environments/environment_batch.h"

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {

namespace {

std::vector<StreamId> copy_streams(std::size_t copies, StreamId stream) {
  std::vector<StreamId> streams;
  for (std::size_t i = 0; i < copies; ++i) streams.push_back(EnvironmentBatch::copy_stream(stream, i));
  return streams;
}

}  // namespace

EnvironmentBatch::EnvironmentBatch(std::string_view id, std::size_t copies, StreamId stream)
    : EnvironmentBatch(id, copy_streams(copies, stream)) {}

EnvironmentBatch::EnvironmentBatch(std::string_view id, std::span<const StreamId> streams) : outcomes_(streams.size()) {
  expect(!streams.empty(), "{}: expected at least one copy, found 0", id);
  for (std::size_t i = 0; i < streams.size(); ++i) copies_.push_back(make_environment(id));
  observations_.resize(size() * spec().observation.size());
  next_observations_.resize(observations_.size());
  rewards_.resize(size() * copies_.front()->num_objectives());
  reset(streams);
}

void EnvironmentBatch::reset(std::span<const StreamId> streams) {
  expect(streams.size() == size(), "{}: expected {} streams, one per copy, found {}", spec().id, size(), streams.size());
  for (std::size_t i = 0; i < size(); ++i) copies_[i]->reset(streams[i], row(observations_, i));
  next_observations_ = observations_;
}

void EnvironmentBatch::reset() {
  for (std::size_t i = 0; i < size(); ++i) copies_[i]->reset(row(observations_, i));
  next_observations_ = observations_;
}

StreamId EnvironmentBatch::copy_stream(StreamId stream, std::size_t copy) {
  Random random = Random(stream, "environment_batch").substream("copy", copy);
  const std::uint64_t high = random();
  return {.seed = high << 32 | random(), .round = stream.round, .client = stream.client};
}

void EnvironmentBatch::step(std::span<const double> actions) {
  const std::size_t width = spec().action.size();
  expect(actions.size() == size() * width, "{}: expected {} numbers, {} for each of {} copies, found {}", spec().id, size() * width, width,
         size(), actions.size());
  for (std::size_t i = 0; i < size(); ++i) spec().action.check(actions.subspan(i * width, width), spec().id);
  for (std::size_t i = 0; i < size(); ++i) {
    const std::span<double> next = row(next_observations_, i);
    const std::span<double> current = row(observations_, i);
    outcomes_[i] = copies_[i]->step(actions.subspan(i * width, width), next, row(rewards_, i));
    if (outcomes_[i].ended()) {
      copies_[i]->reset(current);
    } else {
      std::copy(next.begin(), next.end(), current.begin());
    }
  }
}

Record EnvironmentBatch::save() const {
  Record record;
  for (std::size_t i = 0; i < size(); ++i) record.records.emplace(fmt::format("copy_{}", i), copies_[i]->save());
  return record;
}

void EnvironmentBatch::load(const Record& record) {
  expect(record.records.size() == size(), "{}: expected the states of {} copies, found {}", spec().id, size(), record.records.size());
  for (std::size_t i = 0; i < size(); ++i) {
    copies_[i]->load(record.record(fmt::format("copy_{}", i)));
    copies_[i]->observe(row(observations_, i));
  }
}

std::span<double> EnvironmentBatch::row(std::vector<double>& buffer, std::size_t copy) const {
  const std::size_t width = buffer.size() / size();
  return std::span(buffer).subspan(copy * width, width);
}

}  // namespace paretofl
