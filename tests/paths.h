#pragma once

#include <string>

namespace paretofl {

// Where the build has what tests run and read. Tests that named these folders themselves would be compiled again for every clone, since the
// compiler cache tells them apart by them.

std::string command_path();  ///< the program paretofl
std::string source_path();   ///< the folder of the sources
std::string plugins_path();  ///< the folder of the plugins that tests load
std::string mpiexec_path();  ///< mpiexec of the build's MPI; only where PARETOFL_TESTS_MPI is defined
std::string mpi_job_path();  ///< the program that runtimes/mpi_test.cpp starts; the same

}  // namespace paretofl
