#include "gpu/report.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

namespace Tessera::benchmarks {

std::string json_file(int argc, char** argv) {
  if (argc == 1) return {};
  if (argc == 3 && std::string(argv[1]) == "--json") return argv[2];
  std::fprintf(stderr, "usage: %s [--json FILE]\n", argv[0]);
  std::exit(2);
}

void write_json(std::string const& file, nlohmann::ordered_json const& json) {
  if (!file.empty()) std::ofstream(file) << json.dump(1) << '\n';
}

}  // namespace Tessera::benchmarks
