#pragma once
/// \file
/// The tentative prolongator.
#include <utility>

#include "aggregation/aggregates.hpp"

namespace Tessera::galerkin {

/// T with T^T T = I on each aggregate and B = T B_coarse. Row i of A belongs to vertex i / equations. Row i
/// of T is zero except for the `vectors` columns of that vertex's aggregate.
template <class Space>
struct Tentative {
  int equations = 1;                    ///< rows per vertex on this level
  int vectors = 1;                      ///< columns per aggregate (the next level's equations)
  comm::Distribution coarse_rows;       ///< aggregates x vectors
  Array<GlobalIndex, Space> aggregate;  ///< of each owned vertex (-1: none)
  Array<double, Space> value;           ///< rows x vectors, row-major; zero for vertices without an aggregate
  Array<double, Space>
      coarse_nullspace;      ///< owned aggregates * vectors rows x vectors, row-major: the R factors
  bool indicator = false;    ///< all entries are 1, and so is the coarse near-nullspace; neither is stored
  bool on_one_rank = false;  ///< whether all vertices and aggregates are known to be on one rank

  /// Saves or loads. fine, equations_of, vectors_of: the level's rows, its rows per vertex, and its
  /// near-nullspace vectors. of_ones: whether there is one vector, of ones. Loading is collective.
  void archive(core::Archive& file, Space const& space, comm::Distribution const& fine, int equations_of,
               int vectors_of, bool of_ones) {
    auto& [rows_of_vertex, columns, coarse, of_vertex, entries, R, ones, one_rank] = *this;
    file(rows_of_vertex, columns, ones, one_rank);
    file.require(rows_of_vertex == equations_of && columns == vectors_of && ones == of_ones, rows_of_vertex,
                 " rows per node and ", columns, " columns per aggregate instead of ", equations_of, " and ",
                 vectors_of);
    comm::archive(file, fine.comm(), coarse);
    file.require(coarse.local_size() % columns == 0, coarse.local_size(),
                 " rows are not whole aggregates of ", columns, " columns");
    file.require(one_rank == fine.on_one_rank_with(coarse), "the file places aggregates on ",
                 one_rank ? "one rank" : "several ranks");
    auto const rows = static_cast<std::size_t>(fine.local_size());
    auto const width = static_cast<std::size_t>(vectors_of);
    auto const last = coarse.global_size() / vectors_of - 1;
    file.array(space, of_vertex, [&](Span<GlobalIndex const> all) {
      core::require_size(file, all, rows / static_cast<std::size_t>(equations_of), "aggregates of nodes");
      core::require_between(file, all, GlobalIndex{-1}, last, "aggregates of nodes");
    });
    auto const numbers = [&](Array<double, Space>& array, std::size_t size, char const* what) {
      file.array(space, array, [&](Span<double const> all) {
        core::require_size(file, all, of_ones ? 0 : size, what);
        core::require_finite(file, all, what);
      });
    };
    numbers(entries, rows * width, "entries of a tentative prolongator");
    numbers(R, static_cast<std::size_t>(coarse.local_size()) * width, "entries of a coarse near-nullspace");
  }
};

/// T for one vector of ones, not normalised: row i has 1 in the column of its aggregate.
template <class Space>
Tentative<Space> indicator(comm::Distribution const& aggregates, Array<GlobalIndex, Space> aggregate) {
  Tentative<Space> T;
  T.coarse_rows = aggregates;
  T.aggregate = std::move(aggregate);
  T.indicator = true;
  return T;
}

/// nullspace: B, owned rows x vectors, row-major. Orthonormalises the columns of B in each aggregate by two
/// rounds of modified Gram-Schmidt. A column that is dependent in an aggregate (its norm falls below 1e-10
/// times the original) becomes zero there, in T and in the rows of R. Members on other ranks send their rows
/// to the aggregate's owner, which returns them. Collective.
template <class Space>
Tentative<Space> tentative_prolongator(Space const& space, aggregation::Aggregates<Space> const& aggregates,
                                       Span<double const> nullspace, int equations, int vectors);

}  // namespace Tessera::galerkin
