#pragma once
/// \file
/// Laplacians on grids; each rank has a box of points.
#include <array>
#include <vector>

#include "comm/dist_csr.hpp"

namespace Tessera::benchmarks {

/// Number of boxes along each axis, as equal as the number of ranks permits; ascending.
inline std::array<int, 3> boxes_of(int ranks) {
  std::array<int, 3> best{1, 1, ranks};
  for (int a = 1; a * a * a <= ranks; ++a) {
    for (int b = a; a * b * b <= ranks; ++b) {
      if (ranks % (a * b) == 0) best = {a, b, ranks / (a * b)};
    }
  }
  return best;
}

/// The 7-point Laplacian on boxes of side^3 points, numbered box by box. far: every second row is also
/// coupled to the row at a distance of half of all rows.
inline comm::DistCsr<double, Host> laplace_on_boxes(comm::Communicator const& comm, GlobalIndex side,
                                                    bool far) {
  auto const boxes = boxes_of(comm.size());
  GlobalIndex const of_rank = side * side * side, all = of_rank * comm.size();
  std::array<GlobalIndex, 3> const box{comm.rank() % boxes[0], comm.rank() / boxes[0] % boxes[1],
                                       comm.rank() / (boxes[0] * boxes[1])};
  auto const number = [&](std::array<GlobalIndex, 3> const& at) {
    auto const rank = at[0] / side + boxes[0] * (at[1] / side + boxes[1] * (at[2] / side));
    return rank * of_rank + at[0] % side + side * (at[1] % side + side * (at[2] % side));
  };
  comm::Distribution const rows(comm, static_cast<Index>(of_rank));
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<double> value;
  auto const entry = [&](GlobalIndex j, double a) {
    column.push_back(j);
    value.push_back(a);
  };
  for (GlobalIndex i = 0; i < of_rank; ++i) {
    std::array<GlobalIndex, 3> const at{box[0] * side + i % side, box[1] * side + i / side % side,
                                        box[2] * side + i / (side * side)};
    auto const row = rows.begin() + i;
    bool const coupled_far = far && row % 2 == 0 && all % 4 == 0;
    entry(row, coupled_far ? 7 : 6);
    for (int d = 0; d < 3; ++d) {
      for (int const step : {-1, 1}) {
        auto to = at;
        to[d] += step;
        if (to[d] >= 0 && to[d] < boxes[d] * side) entry(number(to), -1);
      }
    }
    if (coupled_far) entry((row + all / 2) % all, -1);
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return comm::from_global(rows, rows, offsets, column, value);
}

}  // namespace Tessera::benchmarks
