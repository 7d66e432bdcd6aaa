#pragma once

#include "paretofl/environments/environment.h"

namespace paretofl {

/// Whether the targets have velocities when an episode starts.
enum class ReacherTargets {
  kDrifting,  ///< all but the last, as in mo-reacher-v4
  kStill,     ///< none, as in mo-reacher-v5
};

/// An arm of two links in the plane, whose fingertip cannot be near four targets at once (Gymnasium's Reacher with the
/// targets of MO-Gymnasium's mo-reacher-v4 and -v5: right, left, above and below at 0.14 m).
///
/// Observation float64 [6]: cosines of both joints' angles, sines, a tenth of the angular velocities. Action 3 i + j turns
/// the shoulder by i - 1 and the elbow by j - 1 (-1, 0, 1) with full torque; two time steps of 0.01 s each. Reward float32
/// [4]: 1 - 4 times the fingertip's distance in m to each target, where they were before the step. 50 steps; nothing
/// terminates. An episode starts with the shoulder at 0 and the elbow bent at 3.1415 / 2; the velocities of the
/// joints and of targets that drift are uniform within +-0.005.
std::unique_ptr<Environment> make_reacher(std::string id, ReacherTargets targets);

}  // namespace paretofl
