#pragma once

#include <string_view>

namespace paretofl {

/// The ant of OpenAI Gym and Gymnasium: a ball on four legs, which pass through each other, each of a fixed first link, a hip that turns
/// about the vertical, and an ankle. Lengths in metres, angles in degrees. The joints' initial angles are 0, out of the ankles' ranges.
/// A contact's margin is that of the published geoms added, as MuJoCo 4 adds them: MuJoCo 2 takes the larger one.
inline constexpr std::string_view kAntMjcf = R"(
<mujoco model="ant">
  <compiler angle="degree" inertiafromgeom="true"/>
  <option timestep="0.01" integrator="RK4"/>
  <default>
    <geom type="capsule" size="0.08" contype="1" conaffinity="0" condim="3" density="5" friction="1 0.5 0.5" margin="0.02"/>
    <joint type="hinge" limited="true" armature="1" damping="1"/>
    <motor ctrllimited="true" ctrlrange="-1 1" gear="150"/>
    <default class="hip">
      <joint axis="0 0 1" range="-30 30"/>
    </default>
  </default>
  <worldbody>
    <geom name="ground" type="plane" size="40 40 40" conaffinity="1"/>
    <body name="torso" pos="0 0 0.75">
      <freejoint name="root"/>
      <geom name="torso" type="sphere" size="0.25"/>
      <body name="front_left_leg">
        <geom fromto="0 0 0 0.2 0.2 0"/>
        <body name="front_left_hip" pos="0.2 0.2 0">
          <joint class="hip" name="hip_1"/>
          <geom fromto="0 0 0 0.2 0.2 0"/>
          <body name="front_left_shin" pos="0.2 0.2 0">
            <joint name="ankle_1" axis="-1 1 0" range="30 70"/>
            <geom fromto="0 0 0 0.4 0.4 0"/>
          </body>
        </body>
      </body>
      <body name="front_right_leg">
        <geom fromto="0 0 0 -0.2 0.2 0"/>
        <body name="front_right_hip" pos="-0.2 0.2 0">
          <joint class="hip" name="hip_2"/>
          <geom fromto="0 0 0 -0.2 0.2 0"/>
          <body name="front_right_shin" pos="-0.2 0.2 0">
            <joint name="ankle_2" axis="1 1 0" range="-70 -30"/>
            <geom fromto="0 0 0 -0.4 0.4 0"/>
          </body>
        </body>
      </body>
      <body name="back_left_leg">
        <geom fromto="0 0 0 -0.2 -0.2 0"/>
        <body name="back_left_hip" pos="-0.2 -0.2 0">
          <joint class="hip" name="hip_3"/>
          <geom fromto="0 0 0 -0.2 -0.2 0"/>
          <body name="back_left_shin" pos="-0.2 -0.2 0">
            <joint name="ankle_3" axis="-1 1 0" range="-70 -30"/>
            <geom fromto="0 0 0 -0.4 -0.4 0"/>
          </body>
        </body>
      </body>
      <body name="back_right_leg">
        <geom fromto="0 0 0 0.2 -0.2 0"/>
        <body name="back_right_hip" pos="0.2 -0.2 0">
          <joint class="hip" name="hip_4"/>
          <geom fromto="0 0 0 0.2 -0.2 0"/>
          <body name="back_right_shin" pos="0.2 -0.2 0">
            <joint name="ankle_4" axis="1 1 0" range="30 70"/>
            <geom fromto="0 0 0 0.4 -0.4 0"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="hip_4"/>
    <motor joint="ankle_4"/>
    <motor joint="hip_1"/>
    <motor joint="ankle_1"/>
    <motor joint="hip_2"/>
    <motor joint="ankle_2"/>
    <motor joint="hip_3"/>
    <motor joint="ankle_3"/>
  </actuator>
</mujoco>
)";

}  // namespace paretofl
