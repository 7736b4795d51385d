#pragma once
/// \file
/// Figures of a preconditioner, without Trilinos.
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fsai/fsai.hpp"

namespace Tessera::baselines {

/// Global figures of one level, finest first.
struct Level {
  long long rows = 0;
  long long nonzeros = 0;
  long long aggregates = 0;  ///< 0 if unknown
  std::string format;        ///< of the matrix; empty if unknown
  std::string precision;     ///< of the matrix: half, float or double; empty if unknown
  std::string checksum;      ///< of the matrix; empty if unknown
  std::size_t bytes = 0;     ///< of all ranks; 0 if unknown
  double entry_bytes = 0;    ///< that a product reads of the matrix, by entry; 0 if unknown
};

/// Figures of a preconditioner; empty or zero if unknown.
struct Info {
  std::vector<Level> levels;
  double operator_complexity = 0;
  double grid_complexity = 0;
  std::optional<fsai::Report> fsai;      ///< of Tessera's factored sparse approximate inverse
  std::map<std::string, double> phases;  ///< seconds of the setup
  std::string backend = "host";
  std::string device;                 ///< empty on the host
  std::string description;            ///< hierarchy table, several lines
  std::vector<std::string> warnings;  ///< for example: coarsening stalled at level 3
};

/// Computes the complexities from the levels.
void complete(Info& info);

}  // namespace Tessera::baselines
