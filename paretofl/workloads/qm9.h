#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "paretofl/molecules/qm9_xyz.h"
#include "paretofl/workloads/molecule_regression.h"

namespace paretofl {

struct Qm9Options {
  MoleculeRegressionOptions base;
  bool keep_uncharacterized = false;

  void describe(OptionVisitor& visit);
};

/// Fewer molecules per client than QM9, as many as val.txt and test.txt alone have, and minibatches to match.
struct Qm9GeometriesOptions {
  MoleculeRegressionOptions base = {.samples_per_client = 110, .batch_size = 8, .validation_samples = 259, .test_samples = 500};

  void describe(OptionVisitor& visit) { base.describe(visit); }
};

/// The files of QM9's molecules in a folder, as load_qm9 reads them, sorted by name; and its uncharacterized.txt or that
/// with .gz. Throw Error where there is none.
std::vector<std::filesystem::path> find_qm9_files(const std::filesystem::path& folder);
std::filesystem::path find_uncharacterized(const std::filesystem::path& folder);

/// Calls `visit` with every molecule of the files. Throws Error, naming both places, for a molecule that is there twice, by its index.
void for_each_qm9_molecule(std::span<const std::filesystem::path> files, const std::function<void(Qm9Molecule)>& visit);

/// QM9 as published, from the folder `qm9` of the root: its dsgdb9nsd.xyz or dsgdb9nsd.xyz.gz, which is the published
/// files one after the other, or else those files, dsgdb9nsd_*.xyz. Throws Error if a file is missing or not in the
/// published format, and if a molecule is there twice, which would be trained and tested on.
///
/// The targets are the eleven of LibMTL's QM9 example and FedCMOO in PyTorch Geometric's units: mu, alpha, homo, lumo,
/// r2, zpve, the atomization energies u0_atom, u_atom, h_atom and g_atom (the published energies less those of the free
/// atoms, in eV), and cv. As in PyTorch Geometric the molecules of uncharacterized.txt, which is published with QM9,
/// are left out, unless `keep_uncharacterized`.
MoleculeDataset load_qm9(const std::filesystem::path& root, bool keep_uncharacterized);

/// The molecules of QM9 with at most 14 atoms as published with QuantumDeepField (Tsubaki and Mizoguchi 2020), lists of
/// geometries with the atomization energy alone, from those of train.txt, val.txt and test.txt, each plain or .gz, that
/// the folder `qm9` of the root holds. The targets are those of geometry_targets.h. Throws Error if there is none of the files or one is
/// damaged, and naming both places if two geometries with their energies are equal, whatever their names.
MoleculeDataset load_qm9_geometries(const std::filesystem::path& root);

}  // namespace paretofl
