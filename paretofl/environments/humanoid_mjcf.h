#pragma once

#include <string_view>

namespace paretofl {

/// The humanoid of OpenAI Gym and Gymnasium: torso with head, waist, pelvis, legs of thigh, shin and foot, and arms of two links. Parts
/// that are not neighbours collide. Lengths in metres, angles in degrees. The published tendons carry no force and are left out.
/// A contact's margin is that of two published geoms added, as MuJoCo 4 adds them: MuJoCo 2 takes the larger one.
inline constexpr std::string_view kHumanoidMjcf = R"(
<mujoco model="humanoid">
  <compiler angle="degree" inertiafromgeom="true"/>
  <option timestep="0.003" integrator="RK4" solver="PGS" iterations="50"/>
  <default>
    <geom type="capsule" contype="1" conaffinity="1" condim="1" margin="0.002"/>
    <joint type="hinge" limited="true" armature="1" damping="1"/>
    <motor ctrllimited="true" ctrlrange="-0.4 0.4" gear="100"/>
    <default class="waist">
      <joint armature="0.02" damping="5" stiffness="10"/>
    </default>
    <default class="hip">
      <joint armature="0.01" damping="5" stiffness="10"/>
    </default>
    <default class="knee">
      <joint armature="0.006" axis="0 -1 0" pos="0 0 0.02" range="-160 -2"/>
    </default>
    <default class="arm">
      <joint stiffness="1"/>
      <motor gear="25"/>
    </default>
  </default>
  <worldbody>
    <geom name="ground" type="plane" size="20 20 0.125" condim="3" friction="1 0.1 0.1"/>
    <body name="torso" pos="0 0 1.4">
      <freejoint name="root"/>
      <geom name="chest" fromto="0 -0.07 0 0 0.07 0" size="0.07"/>
      <geom name="head" type="sphere" pos="0 0 0.19" size="0.09"/>
      <geom name="upper_waist" fromto="-0.01 -0.06 -0.12 -0.01 0.06 -0.12" size="0.06"/>
      <body name="lower_waist" pos="-0.01 0 -0.26" quat="1 0 -0.002 0">
        <joint class="waist" name="abdomen_z" axis="0 0 1" pos="0 0 0.065" range="-45 45" stiffness="20"/>
        <joint class="waist" name="abdomen_y" axis="0 1 0" pos="0 0 0.065" range="-75 30"/>
        <geom name="lower_waist" fromto="0 -0.06 0 0 0.06 0" size="0.06"/>
        <body name="pelvis" pos="0 0 -0.165" quat="1 0 -0.002 0">
          <joint class="waist" name="abdomen_x" axis="1 0 0" pos="0 0 0.1" range="-35 35"/>
          <geom name="pelvis" fromto="-0.02 -0.07 0 -0.02 0.07 0" size="0.09"/>
          <body name="right_thigh" pos="0 -0.1 -0.04">
            <joint class="hip" name="right_hip_x" axis="1 0 0" range="-25 5"/>
            <joint class="hip" name="right_hip_z" axis="0 0 1" range="-60 35"/>
            <joint class="hip" name="right_hip_y" axis="0 1 0" range="-110 20" armature="0.008" stiffness="20"/>
            <geom name="right_thigh" fromto="0 0 0 0 0.01 -0.34" size="0.06"/>
            <body name="right_shin" pos="0 0.01 -0.403">
              <joint class="knee" name="right_knee"/>
              <geom name="right_shin" fromto="0 0 0 0 0 -0.3" size="0.049"/>
              <body name="right_foot" pos="0 0 -0.45">
                <geom name="right_foot" type="sphere" pos="0 0 0.1" size="0.075"/>
              </body>
            </body>
          </body>
          <body name="left_thigh" pos="0 0.1 -0.04">
            <joint class="hip" name="left_hip_x" axis="-1 0 0" range="-25 5"/>
            <joint class="hip" name="left_hip_z" axis="0 0 -1" range="-60 35"/>
            <joint class="hip" name="left_hip_y" axis="0 1 0" range="-110 20" stiffness="20"/>
            <geom name="left_thigh" fromto="0 0 0 0 -0.01 -0.34" size="0.06"/>
            <body name="left_shin" pos="0 -0.01 -0.403">
              <joint class="knee" name="left_knee" stiffness="1"/>
              <geom name="left_shin" fromto="0 0 0 0 0 -0.3" size="0.049"/>
              <body name="left_foot" pos="0 0 -0.45">
                <geom name="left_foot" type="sphere" pos="0 0 0.1" size="0.075"/>
              </body>
            </body>
          </body>
        </body>
      </body>
      <body name="right_upper_arm" pos="0 -0.17 0.06">
        <joint class="arm" name="right_shoulder_1" axis="2 1 1" range="-85 60" armature="0.0068"/>
        <joint class="arm" name="right_shoulder_2" axis="0 -1 1" range="-85 60" armature="0.0051"/>
        <geom name="right_upper_arm" fromto="0 0 0 0.16 -0.16 -0.16" size="0.04"/>
        <body name="right_lower_arm" pos="0.18 -0.18 -0.18">
          <joint class="arm" name="right_elbow" axis="0 -1 1" range="-90 50" armature="0.0028" stiffness="0"/>
          <geom name="right_lower_arm" fromto="0.01 0.01 0.01 0.17 0.17 0.17" size="0.031"/>
          <geom name="right_hand" type="sphere" pos="0.18 0.18 0.18" size="0.04"/>
        </body>
      </body>
      <body name="left_upper_arm" pos="0 0.17 0.06">
        <joint class="arm" name="left_shoulder_1" axis="2 -1 1" range="-60 85" armature="0.0068"/>
        <joint class="arm" name="left_shoulder_2" axis="0 1 1" range="-60 85" armature="0.0051"/>
        <geom name="left_upper_arm" fromto="0 0 0 0.16 0.16 -0.16" size="0.04"/>
        <body name="left_lower_arm" pos="0.18 0.18 -0.18">
          <joint class="arm" name="left_elbow" axis="0 -1 -1" range="-90 50" armature="0.0028" stiffness="0"/>
          <geom name="left_lower_arm" fromto="0.01 -0.01 0.01 0.17 -0.17 0.17" size="0.031"/>
          <geom name="left_hand" type="sphere" pos="0.18 -0.18 0.18" size="0.04"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="abdomen_y"/>
    <motor joint="abdomen_z"/>
    <motor joint="abdomen_x"/>
    <motor joint="right_hip_x"/>
    <motor joint="right_hip_z"/>
    <motor joint="right_hip_y" gear="300"/>
    <motor joint="right_knee" gear="200"/>
    <motor joint="left_hip_x"/>
    <motor joint="left_hip_z"/>
    <motor joint="left_hip_y" gear="300"/>
    <motor joint="left_knee" gear="200"/>
    <motor class="arm" joint="right_shoulder_1"/>
    <motor class="arm" joint="right_shoulder_2"/>
    <motor class="arm" joint="right_elbow"/>
    <motor class="arm" joint="left_shoulder_1"/>
    <motor class="arm" joint="left_shoulder_2"/>
    <motor class="arm" joint="left_elbow"/>
  </actuator>
</mujoco>
)";

}  // namespace paretofl
