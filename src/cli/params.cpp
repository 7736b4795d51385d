#include <cstdio>
#include <iostream>

#include "cli/commands.hpp"
#include "parameters/reference.hpp"

namespace Tessera::cli {

int run_params(Options const& options, Comm const& comm) {
  bool const root = comm->getRank() == 0;
  if (!options.validate.empty()) {
    auto const choice = read_choice(options.validate, options.overrides, *comm);
    require_in_build(choice);
    if (root)
      std::printf("%s is valid: preconditioner %s, solver %s\n", choice.file.c_str(),
                  choice.preconditioner.c_str(), choice.krylov.solver.c_str());
  }
  if (root && options.list) parameters::print_reference(std::cout);
  if (root && options.markdown) parameters::print_markdown(std::cout);
  return 0;
}

}  // namespace Tessera::cli
