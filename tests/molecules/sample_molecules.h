#pragma once

#include <cmath>

#include "paretofl/molecules/geometry_file.h"

namespace paretofl {

inline Atom atom(std::string_view symbol, Point position) {
  std::uint8_t element = 0;
  while (elements()[element].symbol != symbol) ++element;
  return {element, position};
}

inline Molecule molecule(std::vector<Atom> atoms) { return {.name = "sample", .atoms = std::move(atoms)}; }

/// A flat ring of `size` carbon atoms with one hydrogen each, bonds of `length`: benzene with six of 1.39.
inline Molecule carbon_ring(int size, double length) {
  Molecule ring = molecule({});
  const double radius = length / (2 * std::sin(M_PI / size));
  for (const auto& [symbol, distance] : {std::pair{"C", radius}, std::pair{"H", radius + 1.09}}) {
    for (int i = 0; i < size; ++i) {
      const double angle = 2 * M_PI * i / size;
      ring.atoms.push_back(atom(symbol, {distance * std::cos(angle), distance * std::sin(angle), 0}));
    }
  }
  return ring;
}

inline Molecule water() { return molecule({atom("O", {0, 0, 0}), atom("H", {0.96, 0, 0}), atom("H", {-0.24, 0.93, 0})}); }

/// H-C#N along the x axis.
inline Molecule hydrogen_cyanide() { return molecule({atom("H", {-1.07, 0, 0}), atom("C", {0, 0, 0}), atom("N", {1.15, 0, 0})}); }

/// H2C=O in the plane.
inline Molecule formaldehyde() {
  return molecule({atom("C", {0, 0, 0}), atom("O", {1.2, 0, 0}), atom("H", {-0.58, 0.94, 0}), atom("H", {-0.58, -0.94, 0})});
}

/// Ammonia with its nitrogen `height` above the plane of the hydrogens.
inline Molecule ammonia(double height) {
  const double side = std::sqrt(1.01 * 1.01 - height * height);
  const double half = side / 2, far = side * std::sqrt(3) / 2;
  return molecule({atom("N", {0, 0, height}), atom("H", {side, 0, 0}), atom("H", {-half, far, 0}), atom("H", {-half, -far, 0})});
}

}  // namespace paretofl
