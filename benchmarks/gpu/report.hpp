#pragma once
/// \file
/// What the GPU benchmarks print and write.
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace Tessera::benchmarks {

/// The file after --json; empty without one. Ends the program where the arguments are others.
std::string json_file(int argc, char** argv);

/// Does nothing without a file name.
void write_json(std::string const& file, nlohmann::ordered_json const& json);

}  // namespace Tessera::benchmarks
