#include "paretofl/environments/mujoco_simulation.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

constexpr std::array<mjtWarning, 4> kDivergence = {mjWARN_INERTIA, mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC};

std::span<mjtNum> values(mjtNum* first, int count) { return {first, static_cast<std::size_t>(count)}; }

}  // namespace

struct MujocoSimulation::Data {
  explicit Data(const mjModel& model) : content(mj_makeData(&model)) { assert(content != nullptr); }
  ~Data() { mj_deleteData(content); }
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;

  mjData* content;
};

MujocoSimulation::MujocoSimulation(const MujocoModel& model, std::string name, MujocoForces forces)
    : model_(model), name_(std::move(name)), forces_(forces), data_(std::make_unique<Data>(model.compiled())) {
  // Nothing but these, time and the warm start carries over from step to step.
  assert(model.compiled().na == 0 && model.compiled().nmocap == 0 && model.compiled().nuserdata == 0);
}

MujocoSimulation::~MujocoSimulation() = default;

PhysicalState MujocoSimulation::initial_state() const {
  const mjModel& model = model_.compiled();
  return {.qpos = {model.qpos0, model.qpos0 + model.nq}, .qvel = std::vector<double>(static_cast<std::size_t>(model.nv))};
}

void MujocoSimulation::check(std::span<const double> found, std::string_view what, int count) const {
  expect(found.size() == static_cast<std::size_t>(count), "{}: expected {} numbers of {}, found {}", name_, count, what, found.size());
  for (const double value : found) {
    expect(std::abs(value) <= mjMAXVAL, "{}: expected numbers of {} within +-1e10, found {}", name_, what, value);
  }
}

void MujocoSimulation::start(const PhysicalState& state) {
  const mjModel& model = model_.compiled();
  check(state.qpos, "qpos", model.nq);
  check(state.qvel, "qvel", model.nv);
  mj_resetData(&model, data_->content);
  std::copy(state.qpos.begin(), state.qpos.end(), data_->content->qpos);
  std::copy(state.qvel.begin(), state.qvel.end(), data_->content->qvel);
  mj_forward(&model, data_->content);
}

void MujocoSimulation::step(std::span<const double> controls, int substeps) {
  const mjModel& model = model_.compiled();
  assert(controls.size() == static_cast<std::size_t>(model.nu));
  std::copy(controls.begin(), controls.end(), data_->content->ctrl);
  for (int i = 0; i < substeps; ++i) mj_step(&model, data_->content);
  if (forces_ == MujocoForces::kSeen) mj_rnePostConstraint(&model, data_->content);
  const auto lost = [](double value) { return !(std::abs(value) <= mjMAXVAL); };
  bool diverged = std::any_of(qpos().begin(), qpos().end(), lost) || std::any_of(qvel().begin(), qvel().end(), lost);
  // Where numbers have grown out of bounds, MuJoCo's next substep goes on from the initial state.
  for (const mjtWarning warning : kDivergence) diverged = diverged || data_->content->warning[warning].number > 0;
  expect(!diverged, "{}: expected a motion within MuJoCo's bounds, found one that diverges", name_);
}

double MujocoSimulation::time_step() const { return model_.compiled().opt.timestep; }
std::span<const double> MujocoSimulation::qpos() const { return values(data_->content->qpos, model_.compiled().nq); }
std::span<const double> MujocoSimulation::qvel() const { return values(data_->content->qvel, model_.compiled().nv); }

std::array<double, 3> MujocoSimulation::body_position(int body) const {
  const mjtNum* position = data_->content->xpos + 3 * static_cast<std::ptrdiff_t>(body);
  return {position[0], position[1], position[2]};
}

int MujocoSimulation::body_number(const std::string& body) const {
  const int number = mj_name2id(&model_.compiled(), mjOBJ_BODY, body.c_str());
  assert(number >= 0);
  return number;
}

std::span<const double> MujocoSimulation::body_inertias() const { return values(data_->content->cinert, 10 * model_.compiled().nbody); }
std::span<const double> MujocoSimulation::body_velocities() const { return values(data_->content->cvel, 6 * model_.compiled().nbody); }
std::span<const double> MujocoSimulation::actuator_forces() const { return values(data_->content->qfrc_actuator, model_.compiled().nv); }
std::span<const double> MujocoSimulation::contact_forces() const { return values(data_->content->cfrc_ext, 6 * model_.compiled().nbody); }

std::array<double, 2> MujocoSimulation::mass_centre() const {
  const mjModel& model = model_.compiled();
  std::array<double, 2> sum{};
  double mass = 0;
  for (std::ptrdiff_t body = 0; body < model.nbody; ++body) {
    mass += model.body_mass[body];
    for (std::size_t axis = 0; axis < 2; ++axis)
      sum[axis] += model.body_mass[body] * data_->content->xipos[3 * body + static_cast<std::ptrdiff_t>(axis)];
  }
  return {sum[0] / mass, sum[1] / mass};
}

std::vector<std::pair<const char*, std::span<double>>> MujocoSimulation::saved_arrays() const {
  const mjModel& model = model_.compiled();
  mjData& data = *data_->content;
  std::vector<std::pair<const char*, std::span<double>>> arrays = {{"qpos", values(data.qpos, model.nq)},
                                                                   {"qvel", values(data.qvel, model.nv)},
                                                                   {"warm_start", values(data.qacc_warmstart, model.nv)},
                                                                   {"body_positions", values(data.xpos, 3 * model.nbody)}};
  if (forces_ == MujocoForces::kUnseen) return arrays;
  arrays.insert(arrays.end(), {{"body_inertias", values(data.cinert, 10 * model.nbody)},
                               {"body_velocities", values(data.cvel, 6 * model.nbody)},
                               {"actuator_forces", values(data.qfrc_actuator, model.nv)},
                               {"contact_forces", values(data.cfrc_ext, 6 * model.nbody)},
                               {"mass_centres", values(data.xipos, 3 * model.nbody)}});
  return arrays;
}

Record MujocoSimulation::save() const {
  Record state;
  for (const auto& [name, array] : saved_arrays()) state.arrays.emplace(name, Array(std::span<const double>(array)));
  state.scalars.emplace("time", data_->content->time);
  return state;
}

void MujocoSimulation::load(const Record& state) {
  const auto arrays = saved_arrays();
  for (const auto& [name, array] : arrays) check(state.array(name).doubles(), name, static_cast<int>(array.size()));
  const double time = state.scalar("time");
  expect(time >= 0 && time <= mjMAXVAL, "{}: expected a time from 0 to 1e10, found {}", name_, time);
  mj_resetData(&model_.compiled(), data_->content);
  for (const auto& [name, array] : arrays) {
    const auto saved = state.array(name).doubles();
    std::copy(saved.begin(), saved.end(), array.begin());
  }
  data_->content->time = time;
}

}  // namespace paretofl
