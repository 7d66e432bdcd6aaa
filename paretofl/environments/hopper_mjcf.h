#pragma once

#include <string_view>

namespace paretofl {

/// The hopper of OpenAI Gym and Gymnasium: torso, thigh, leg and foot one above the other, in the plane y = 0. Lengths in
/// metres, angles in degrees. The root's coordinates are those of the world, so z starts at 1.25.
/// {} is the margin of contacts in metres: 0.001 for each of two geoms, of which MuJoCo 2 takes the larger one, and MuJoCo 4 the sum.
inline constexpr std::string_view kHopperMjcf = R"(
<mujoco model="hopper">
  <compiler angle="degree" inertiafromgeom="true"/>
  <option timestep="0.002" integrator="RK4"/>
  <default>
    <geom type="capsule" contype="1" conaffinity="1" condim="1" margin="{}" solref="0.02 1" solimp="0.8 0.8 0.01" friction="0.9"/>
    <joint type="hinge" axis="0 -1 0" limited="true" armature="1" damping="1"/>
    <motor ctrllimited="true" ctrlrange="-1 1" gear="200"/>
    <default class="root">
      <joint limited="false" armature="0" damping="0" stiffness="0"/>
    </default>
  </default>
  <worldbody>
    <geom name="ground" type="plane" size="20 20 0.125" condim="3" friction="1"/>
    <body name="torso" pos="0 0 1.25">
      <joint class="root" name="x" type="slide" axis="1 0 0"/>
      <joint class="root" name="z" type="slide" axis="0 0 1" ref="1.25"/>
      <joint class="root" name="pitch" axis="0 1 0"/>
      <geom name="torso" size="0.05 0.2"/>
      <body name="thigh" pos="0 0 -0.2">
        <joint name="thigh" range="-150 0"/>
        <geom name="thigh" size="0.05 0.225" pos="0 0 -0.225"/>
        <body name="leg" pos="0 0 -0.7">
          <joint name="leg" pos="0 0 0.25" range="-150 0"/>
          <geom name="leg" size="0.04 0.25"/>
          <body name="foot" pos="0.13 0 -0.35">
            <joint name="foot" pos="-0.13 0 0.1" range="-45 45"/>
            <geom name="foot" size="0.06 0.195" pos="-0.065 0 0.1" axisangle="0 1 0 -90" friction="2"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="thigh"/>
    <motor joint="leg"/>
    <motor joint="foot"/>
  </actuator>
</mujoco>
)";

}  // namespace paretofl
