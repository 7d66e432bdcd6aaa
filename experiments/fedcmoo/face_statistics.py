#!/usr/bin/env python3
"""Fits the attribute model of the workload `faces` to CelebA's attribute table: prints paretofl/images/face_statistics.cpp.

Usage: experiments/fedcmoo/face_statistics.py attr_bits.bin.xz     (5 bytes a row, least significant bit first)
Only summary statistics leave the table: 40 frequencies, and for each pair of attributes the correlation of the
two normals that, cut at those frequencies, are both above the cut as often as the pair occurs (tetrachoric).
"""

import lzma
import math
import sys
from statistics import NormalDist

ATTRIBUTES = 40
NORMAL = NormalDist()


def columns(table):
    """Each attribute as one big number with a bit per row."""
    rows = len(table) // 5
    found = []
    for k in range(ATTRIBUTES):
        bits = bytes(48 + (byte >> k % 8 & 1) for byte in table[k // 8 :: 5])
        found.append(int(bits, 2))
    return found, rows


# Nodes and weights of the midpoint rule are enough: the integrand is smooth.
def both_above(a, b, correlation, steps=64):
    """P(X > a, Y > b) = P(X > a) P(Y > b) + integral of the density at (a, b) over the correlation (Plackett)."""
    total = 0.0
    for i in range(steps):
        r = correlation * (i + 0.5) / steps
        total += math.exp(-(a * a - 2 * r * a * b + b * b) / (2 * (1 - r * r))) / math.sqrt(1 - r * r)
    return (1 - NORMAL.cdf(a)) * (1 - NORMAL.cdf(b)) + total * correlation / steps / (2 * math.pi)


def tetrachoric(a, b, frequency):
    low, high = -0.98, 0.98
    for _ in range(20):
        middle = (low + high) / 2
        if both_above(a, b, middle) < frequency:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def main():
    found, rows = columns(lzma.open(sys.argv[1]).read())
    means = [column.bit_count() / rows for column in found]
    cuts = [NORMAL.inv_cdf(1 - mean) for mean in means]
    print('#include "paretofl/images/face_statistics.h"\n\nnamespace paretofl {\n')
    print("// Printed by experiments/fedcmoo/face_statistics.py.\n// clang-format off")
    print("const std::array<std::int16_t, 40> kAttributeFrequencies = {  // of 10,000")
    for k in range(0, ATTRIBUTES, 10):
        print("    " + ", ".join(str(round(10000 * mean)) for mean in means[k : k + 10]) + ",")
    print("};\n\nconst std::array<std::int8_t, 780> kAttributeCorrelations = {  // in percent; row k: with 0 to k - 1")
    for k in range(1, ATTRIBUTES):
        row = [tetrachoric(cuts[k], cuts[j], (found[k] & found[j]).bit_count() / rows) for j in range(k)]
        print("    " + ", ".join(str(round(100 * r)) for r in row) + ",")
    print("};\n// clang-format on\n\n}  // namespace paretofl")


if __name__ == "__main__":
    main()
