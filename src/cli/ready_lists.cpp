#include "cli/ready_lists.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "tpetra/types.hpp"

namespace Tessera::cli {
namespace {

namespace fs = std::filesystem;

char const* const ending = ".xml";

fs::path folder() {
  std::error_code unknown;
  auto const program = fs::read_symlink("/proc/self/exe", unknown);
  return (program.parent_path() / TESSERA_LISTS).lexically_normal();
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  std::error_code unknown;
  for (auto const& entry : fs::directory_iterator(folder(), unknown))
    if (entry.path().extension() == ending) found.push_back(entry.path().stem().string());
  std::sort(found.begin(), found.end());
  return found;
}

bool exists(std::string const& file) {
  std::error_code unknown;
  return fs::exists(file, unknown);
}

std::string without_ending(std::string const& given) {
  bool const ends = fs::path(given).extension() == ending;
  return ends ? given.substr(0, given.size() - std::string(ending).size()) : given;
}

}  // namespace

std::string where_lists_lie() {
  auto const found = names();
  if (found.empty()) return "ready lists should lie in " + folder().string() + ", where there are none";
  std::string text;
  for (auto const& name : found) text += (text.empty() ? "" : ", ") + name;
  return "ready lists lie in " + folder().string() + ": " + text;
}

std::string list_path(std::string const& given) {
  if (exists(given)) return given;
  auto const known = names();
  auto const name = without_ending(given);
  bool const ready = std::find(known.begin(), known.end(), name) != known.end();
  return ready ? (folder() / (name + ending)).string() : given;
}

std::string list_file(std::string const& given, Teuchos::Comm<int> const& comm) {
  std::string file;
  comm::agree_on_errors(tpetra::communicator(comm), [&] {
    if (comm.getRank() != 0) return;
    file = list_path(given);
    TESSERA_VALIDATE(exists(file), given, ": there is no such file, and no ready list of that name",
                     parameters::hint(without_ending(given), names()), "; ", where_lists_lie());
  });
  auto size = static_cast<int>(file.size());
  Teuchos::broadcast(comm, 0, &size);
  file.resize(static_cast<std::size_t>(size));
  Teuchos::broadcast(comm, 0, size, file.data());
  return file;
}

}  // namespace Tessera::cli
