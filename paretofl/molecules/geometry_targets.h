#pragma once

#include <array>
#include <span>

#include "paretofl/molecules/bonds.h"
#include "paretofl/molecules/geometry_file.h"
#include "paretofl/molecules/target.h"

namespace paretofl {

/// What can be computed of a geometry: regression targets for lists of geometries that come with an energy alone. All of
/// them are functions of elements and distances, which a model on a complete graph of atoms can learn.
///
/// | target | definition |
/// |---|---|
/// | atomization_energy | the energy of the file |
/// | radius_of_gyration | sqrt(sum_i m_i |r_i - r_cm|^2 / sum_i m_i) |
/// | smallest_inertia | smallest principal moment of inertia, 505.379 GHz u A^2 over the rotational constant A |
/// | largest_inertia | largest principal moment of inertia, likewise with C |
/// | charge_extent | sum_i Z_i |r_i - r_cc|^2 about the centre of nuclear charge: the spatial extent of the nuclei |
/// | nuclear_repulsion | sum over pairs of Z_i Z_j / r_ij |
/// | dipole | |sum_i q_i r_i| of the partial charges q_i |
/// | electrostatic_energy | sum over pairs of q_i q_j / r_ij |
/// | mean_bond_length | mean length of the bonds between atoms other than hydrogen; of all where there is none |
/// | rings | number of independent rings |
/// | wiener_index | sum over pairs of atoms other than hydrogen of the bonds on the shortest way between them (Wiener 1947) |
///
/// The partial charges are q_i = 0.18 e sum over bonded j of (chi_j - chi_i), chi Pauling's electronegativity: the polarity
/// of a bond to first order, with the factor of HCl (17 % ionic, 0.96 apart), negative where electrons go. A molecule's
/// charges add up to zero.
inline constexpr std::size_t kGeometryTargets = 11;
std::span<const Target> geometry_target_list();
std::array<double, kGeometryTargets> geometry_targets(const Geometry& geometry, const BondTable& bonds);

}  // namespace paretofl
