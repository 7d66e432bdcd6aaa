#include "tests/paths.h"

namespace paretofl {

std::string command_path() { return PARETOFL_COMMAND; }
std::string source_path() { return PARETOFL_SOURCE; }
std::string plugins_path() { return PARETOFL_TEST_PLUGINS; }
#ifdef PARETOFL_TESTS_MPI
std::string mpiexec_path() { return PARETOFL_MPIEXEC; }
std::string mpi_job_path() { return PARETOFL_MPI_JOB; }
#endif

}  // namespace paretofl
