#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "paretofl/core/error.h"
#include "paretofl/molecules/molecule_graph.h"
#include "paretofl/molecules/qm9_xyz.h"

// Any text is either molecules that have graphs or an Error of one line; the same for the list of indices.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto molecules = paretofl::parse_qm9_xyz(text, "input");
    if (molecules.empty()) std::abort();
    for (const auto& read : molecules) {
      const paretofl::MoleculeGraph graph(read.molecule, paretofl::BondTable(read.molecule));
      if (graph.atoms() != read.molecule.atoms.size()) std::abort();
    }
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  try {
    if (paretofl::parse_uncharacterized(text, "input").empty()) std::abort();
  } catch (const paretofl::Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
