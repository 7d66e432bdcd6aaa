#include "paretofl/environments/mujoco_model.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

#include "paretofl/core/error.h"

namespace paretofl {

MujocoModel::MujocoModel(std::string name, std::string_view mjcf) : name_(std::move(name)) {
  // MuJoCo's parser keeps global state.
  static std::mutex parser;
  const std::scoped_lock lock(parser);
  // Warnings are counted in each simulation, which throws; MuJoCo would write them to a file in the working folder.
  mju_user_warning = [](const char*) {};
  constexpr const char* kFile = "model.xml";
  const auto files = std::make_unique<mjVFS>();  // two megabytes
  mj_defaultVFS(files.get());
  expect(mj_makeEmptyFileVFS(files.get(), kFile, static_cast<int>(mjcf.size())) == 0, "{}: expected a model's text, found none", name_);
  std::copy(mjcf.begin(), mjcf.end(), static_cast<char*>(files->filedata[0]));
  std::array<char, 1000> message{};
  compiled_ = mj_loadXML(kFile, files.get(), message.data(), static_cast<int>(message.size()));
  mj_deleteVFS(files.get());
  mj_freeLastXML();
  expect(compiled_ != nullptr, "{}: expected a model that MuJoCo compiles, found \"{}\"", name_, message.data());
}

MujocoModel::Sizes MujocoModel::sizes() const {
  const auto size = [](int count) { return static_cast<std::size_t>(count); };
  return {.coordinates = size(compiled_->nq),
          .velocities = size(compiled_->nv),
          .actuators = size(compiled_->nu),
          .bodies = size(compiled_->nbody)};
}

MujocoModel::~MujocoModel() { mj_deleteModel(compiled_); }

}  // namespace paretofl
