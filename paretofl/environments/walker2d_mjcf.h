#pragma once

#include <string_view>

namespace paretofl {

/// The walker of OpenAI Gym and Gymnasium: a torso on two equal legs, which pass through each other, in the plane y = 0. Lengths in
/// metres, angles in degrees. The root's z is that of the world, so it starts at 1.25. {} is the friction of the right foot.
inline constexpr std::string_view kWalker2dMjcf = R"(
<mujoco model="walker2d">
  <compiler angle="degree" inertiafromgeom="true"/>
  <option timestep="0.002" integrator="RK4"/>
  <default>
    <geom type="capsule" contype="1" conaffinity="0" condim="3" density="1000" friction="0.9 0.1 0.1"/>
    <joint type="hinge" axis="0 -1 0" limited="true" armature="0.01" damping="0.1"/>
    <motor ctrllimited="true" ctrlrange="-1 1" gear="100"/>
    <default class="root">
      <joint limited="false" armature="0" damping="0"/>
    </default>
  </default>
  <worldbody>
    <geom name="ground" type="plane" size="40 40 40" conaffinity="1" friction="0.7 0.1 0.1"/>
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
          <body name="foot" pos="0.2 0 -0.35">
            <joint name="foot" pos="-0.2 0 0.1" range="-45 45"/>
            <geom name="foot" size="0.06 0.1" pos="-0.1 0 0.1" axisangle="0 1 0 -90" friction="{} 0.1 0.1"/>
          </body>
        </body>
      </body>
      <body name="thigh_left" pos="0 0 -0.2">
        <joint name="thigh_left" range="-150 0"/>
        <geom name="thigh_left" size="0.05 0.225" pos="0 0 -0.225"/>
        <body name="leg_left" pos="0 0 -0.7">
          <joint name="leg_left" pos="0 0 0.25" range="-150 0"/>
          <geom name="leg_left" size="0.04 0.25"/>
          <body name="foot_left" pos="0.2 0 -0.35">
            <joint name="foot_left" pos="-0.2 0 0.1" range="-45 45"/>
            <geom name="foot_left" size="0.06 0.1" pos="-0.1 0 0.1" axisangle="0 1 0 -90" friction="1.9 0.1 0.1"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="thigh"/>
    <motor joint="leg"/>
    <motor joint="foot"/>
    <motor joint="thigh_left"/>
    <motor joint="leg_left"/>
    <motor joint="foot_left"/>
  </actuator>
</mujoco>
)";

}  // namespace paretofl
