#pragma once

#include <cstddef>
#include <string>
#include <string_view>

struct mjModel_;  // NOLINT(readability-identifier-naming): MuJoCo's own type

namespace paretofl {

/// What never changes of a MuJoCo environment: bodies, joints, actuators and solver settings, compiled from an MJCF text.
/// One is shared by all simulations of it. Any number of threads at a time, also to construct.
class MujocoModel {
 public:
  /// `name` is for messages. Throws Error on a text that MuJoCo does not compile.
  MujocoModel(std::string name, std::string_view mjcf);
  ~MujocoModel();
  MujocoModel(const MujocoModel&) = delete;
  MujocoModel& operator=(const MujocoModel&) = delete;

  const std::string& name() const { return name_; }
  const mjModel_& compiled() const { return *compiled_; }

  struct Sizes {
    std::size_t coordinates;
    std::size_t velocities;  ///< degrees of freedom
    std::size_t actuators;
    std::size_t bodies;  ///< with the world
  };
  Sizes sizes() const;

 private:
  std::string name_;
  mjModel_* compiled_ = nullptr;
};

}  // namespace paretofl
