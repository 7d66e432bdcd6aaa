#pragma once

#include <string_view>

namespace paretofl {

/// The swimmer of OpenAI Gym and Gymnasium: three links in a row that lie in a dense fluid and meet nothing else, so the published floor is
/// left out. Lengths in metres, angles in degrees.
inline constexpr std::string_view kSwimmerMjcf = R"(
<mujoco model="swimmer">
  <compiler angle="degree" inertiafromgeom="true"/>
  <option timestep="0.01" density="4000" viscosity="0.1" integrator="RK4"/>
  <default>
    <geom type="capsule" size="0.1" contype="0" conaffinity="0" condim="1" density="1000"/>
    <joint type="hinge" axis="0 0 1" armature="0.1"/>
    <motor ctrllimited="true" ctrlrange="-1 1" gear="150"/>
  </default>
  <worldbody>
    <body name="torso">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="y" type="slide" axis="0 1 0"/>
      <joint name="angle"/>
      <geom fromto="1.5 0 0 0.5 0 0"/>
      <body name="middle" pos="0.5 0 0">
        <joint name="front_joint" limited="true" range="-100 100"/>
        <geom fromto="0 0 0 -1 0 0"/>
        <body name="tail" pos="-1 0 0">
          <joint name="back_joint" limited="true" range="-100 100"/>
          <geom fromto="0 0 0 -1 0 0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="front_joint"/>
    <motor joint="back_joint"/>
  </actuator>
</mujoco>
)";

}  // namespace paretofl
