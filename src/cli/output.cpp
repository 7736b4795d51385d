#include <filesystem>

#include "cli/measure.hpp"
#include "core/error.hpp"
#include "tpetra/output_file.hpp"
#include "tpetra/types.hpp"

namespace Tessera::cli {
namespace {

namespace fs = std::filesystem;

struct NamedFile {
  char const* option;
  std::string path;
};
using Files = std::vector<NamedFile>;

Files given(Files const& all) {
  Files result;
  for (auto const& one : all)
    if (!one.path.empty()) result.push_back(one);
  return result;
}

Files inputs(Options const& options) {
  auto const& problem = options.problem;
  Files all{{"--matrix", problem.matrix},
            {"--rhs", problem.rhs},
            {"--nullspace", problem.nullspace},
            {"--coordinates", problem.coordinates},
            {"--material", problem.material}};
  for (auto const& list : options.xml) all.push_back({"--list", list_path(list)});
  if (!options.translate.empty()) all.push_back({"--translate", list_path(options.translate)});
  return given(all);
}

Files outputs(Options const& options) {
  return given({{"--json", options.json},
                {"--html", options.html},
                {"--history", options.history},
                {"--solution", options.solution},
                {"--save", options.save},
                {"--out", options.out},
                {"--out-rhs", options.out_rhs},
                {"--out-nullspace", options.out_nullspace},
                {"--out-coordinates", options.out_coordinates}});
}

/// Whether both are paths of one regular file, present or future. Devices and pipes may be shared.
bool same_file(std::string const& one, std::string const& other) {
  std::error_code unknown;
  if (fs::exists(one, unknown) || fs::exists(other, unknown))
    return fs::equivalent(one, other, unknown) && fs::is_regular_file(one, unknown);
  return fs::weakly_canonical(fs::absolute(one), unknown) ==
         fs::weakly_canonical(fs::absolute(other), unknown);
}

bool lies_in(std::string const& file, std::string const& folder) {
  std::error_code unknown;
  auto const canonical = [&](fs::path const& path) {
    return fs::weakly_canonical(fs::absolute(path), unknown);
  };
  return canonical(file).parent_path() == canonical(folder);
}

}  // namespace

void require_outputs(Options const& options, Comm const& comm) {
  comm::agree_on_errors(tpetra::communicator(*comm), [&] {
    if (comm->getRank() != 0) return;
    auto const written = outputs(options);
    for (auto output = written.begin(); output != written.end(); ++output) {
      for (auto const& input : inputs(options))
        TESSERA_VALIDATE(!same_file(output->path, input.path), output->option, " ", output->path,
                         " is the file of ", input.option,
                         ", which would be overwritten; choose another name");
      TESSERA_VALIDATE(options.folder.empty() || !lies_in(output->path, options.folder), output->option, " ",
                       output->path, " lies in the folder of --export; choose another one");
      for (auto before = written.begin(); before != output; ++before)
        TESSERA_VALIDATE(!same_file(output->path, before->path), output->option, " ", output->path,
                         " is the file of ", before->option, "; choose another name");
      tpetra::require_writable(output->path);
    }
    if (!options.folder.empty()) require_folder(options.folder);
  });
}

void write_file(std::string const& file, std::string const& text, Comm const& comm) {
  if (file.empty()) return;
  comm::agree_on_errors(tpetra::communicator(*comm), [&] {
    if (comm->getRank() != 0) return;
    tpetra::OutputFile output(file);
    output.write(text);
    output.finish();
  });
}

}  // namespace Tessera::cli
