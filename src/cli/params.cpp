#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/solver_list.hpp"
#include "parameters/selection.hpp"
#include "parameters/translation.hpp"
#include "parameters/valid_parameters.hpp"
#include "parameters/xml.hpp"

namespace Tessera::cli {
namespace {

std::optional<parameters::Library> library_named(std::string const& name) {
  for (auto const library : parameters::libraries())
    if (parameters::name_of(library) == name) return library;
  return {};
}

/// Writes the list to --out, otherwise to standard output. The report on its parameters goes to standard
/// output or, if the list is there, to standard error.
void translate(Options const& options, Comm const& comm) {
  require_outputs(options, comm);
  auto const file = list_file(options.translate, *comm);
  auto const translation = [&] {
    try {
      return parameters::translate(*readXml(file, *comm), library_named(options.from));
    } catch (...) {
      rethrow_naming(file);
    }
  }();
  if (translation.name != "Parameters") parameters::validate(parameters::selection(translation.list));
  std::ostringstream text, report;
  parameters::write_list(text, *translation.list, translation.name, options.out);
  parameters::print_translation(report, translation);
  write_file(options.out, text.str(), comm);
  if (comm->getRank() != 0 || options.quiet) return;
  if (options.out.empty()) std::cout << text.str() << std::flush;
  (options.out.empty() ? std::cerr : std::cout) << report.str() << std::flush;
}

}  // namespace

int run_params(Options const& options, Comm const& comm) {
  bool const root = comm->getRank() == 0;
  if (!options.validate.empty()) {
    auto const choice = read_choice(options.validate, options.overrides, *comm);
    require_in_build(choice);
    if (root)
      std::printf("%s is valid: preconditioner %s, solver %s\n", choice.file.c_str(),
                  choice.preconditioner.c_str(), choice.krylov.solver.c_str());
  }
  if (!options.translate.empty()) translate(options, comm);
  if (root && options.words) parameters::print_vocabulary(std::cout);
  if (root && options.list) parameters::print_reference(std::cout);
  if (root && options.markdown) parameters::print_markdown(std::cout);
  return 0;
}

}  // namespace Tessera::cli
