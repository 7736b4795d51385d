#pragma once
/// \file
/// Lanczos on the host over rows that are stored in chunks of SELL-C-sigma: a third of the bytes, and rows
/// side by side.
#include <omp.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "comm/lanczos_body.hpp"
#include "sparse/row_products.hpp"

namespace Tessera::comm {

/// Chunks of a set, by the rows that they hold.
class ChunksByRow {
 public:
  static constexpr int chunk = 32;

  explicit ChunksByRow(sparse::SellView<float> const& stored)
      : stored_(stored), low_(stored.row.size() / chunk), high_(low_.size()) {
    auto const chunks = static_cast<Index>(low_.size());
    auto low = std::numeric_limits<Index>::max(), high = Index{-1};
    for (Index c = chunks; c-- > 0;) {
      for (int l = 0; l < chunk; ++l) {
        if (auto const i = stored.row[c * chunk + l]; i >= 0) low = std::min(low, i);
      }
      low_[c] = low;
    }
    for (Index c = 0; c < chunks; ++c) {
      high = std::max(high,
                      *std::max_element(stored.row.data() + c * chunk, stored.row.data() + (c + 1) * chunk));
      high_[c] = high;
    }
  }
  /// All chunks that hold rows below `row` are among the first so many.
  Index before(Index row) const {
    return static_cast<Index>(std::lower_bound(low_.begin(), low_.end(), row) - low_.begin());
  }
  /// The highest row of the first so many chunks; -1: there is none.
  Index highest(Index count) const { return count == 0 ? -1 : high_[count - 1]; }
  sparse::SellView<float> const& stored() const { return stored_; }

 private:
  sparse::SellView<float> stored_;
  std::vector<Index> low_, high_;  ///< of a chunk and all behind it, and all before it
};

/// The rows of both sets block by block of the fixed tree, so that sums find in a cache what rows have
/// written.
class StoredSweep {
 public:
  explicit StoredSweep(StoredRows const& stored)
      : sets_{ChunksByRow(stored.first), ChunksByRow(stored.second)} {}

  /// chunks(set, begin, end) works on the rows of these chunks of one set; the sum over dot(row) of all rows,
  /// which comes behind the row's chunk, as core::sum has it.
  template <class Chunks, class Dot>
  double operator()(Host const& space, Index rows, Chunks const& chunks, Dot const& dot) const {
    constexpr Index block = core::fixed_tree::block;
    Index const blocks = (rows + block - 1) / block;
    auto const row_at = [=](Index b) { return std::min(rows, b * block); };
    std::vector<double> sums(blocks);
    auto const sum = [&](Index b) {
      sums[b] = core::detail::reduce_block(row_at(b), row_at(b + 1), dot, core::Plus{}, 0.0);
    };
#pragma omp parallel if (blocks > 1)
    {
      std::int64_t const part = omp_get_thread_num(), parts = omp_get_num_threads();
      auto const begin = static_cast<Index>(blocks * part / parts);
      auto const end = static_cast<Index>(blocks * (part + 1) / parts);
      Index reached = -1;  // by rows that threads before this one take
      for (auto const& set : sets_) reached = std::max(reached, set.highest(set.before(row_at(begin))));
      for (auto b = begin; b < end; ++b) {
        for (int s = 0; s < 2; ++s) chunks(s, sets_[s].before(row_at(b)), sets_[s].before(row_at(b + 1)));
        if (row_at(b) > reached) sum(b);
      }
#pragma omp barrier
      for (auto b = begin; b < end && row_at(b) <= reached; ++b) sum(b);
    }
    return core::sum(space, blocks, core::fixed_tree::Load<double>{sums.data()});
  }

 private:
  ChunksByRow sets_[2];
};

/// Whether that is all rows of a rank, as StoredSweep wants them.
inline bool holds_rows(StoredRows const& stored, Index rows) {
  auto const has_chunks = [](auto const& set) {
    return set.stored_rows == 0 || set.chunk == ChunksByRow::chunk;
  };
  return stored.first.rows == rows && stored.first.stored_rows + stored.second.stored_rows == rows &&
         has_chunks(stored.first) && has_chunks(stored.second);
}

/// w of a row, as ApplyOperator has it.
struct StoreOfRow {
  ApplyOperator of;
  void operator()(Index row, double sum) const { of.finish(row, sum, 0); }
};

/// (w, z) of a row whose w is there.
struct DotOfRow {
  Span<double const> diagonal, w, u;
  double scale;
  double operator()(Index i) const { return diagonal[i] * w[i] * (scale * u[i]); }
};

/// Rows from which on it is worth storing them for the time of a run: that takes as long as two or three
/// steps save.
constexpr Index worth_storing = 4096;

inline LanczosRun run_lanczos(Host const& space, DistCsr<double, Host> const& A, Span<double const> diagonal,
                              Span<VertexId const> row_ids, int steps, int seed, Filter const& filter,
                              double known_bound, Entries const& entries) {
  auto const n = A.local.rows;
  sparse::Sell<float, Host> own;
  auto stored = entries.stored;
  bool const of_A = filter.lumped.empty() && known_bound >= 0 && entries.in_float;
  if (of_A && !holds_rows(stored, n) && n >= worth_storing) {
    own = sparse::to_sell<float>(space, A.local.view(), {ChunksByRow::chunk, 1, false});
    stored = {own.view(), {}};
  }
  if (!of_A || !holds_rows(stored, n))
    return run_lanczos<Host>(space, A, diagonal, row_ids, steps, seed, filter, known_bound, entries);
  StoredSweep const sweep(stored);
  auto const apply = [&](ApplyOperator const& of) {
    auto const chunks = [&](int set, Index begin, Index end) {
      sparse::detail::sell_chunks<ChunksByRow::chunk>(set == 0 ? stored.first : stored.second,
                                                      sparse::OneVector<double>{of.u.data()}, StoreOfRow{of},
                                                      begin, end);
    };
    DotOfRow const dot{of.diagonal, of.previous, of.u, of.scale};
    return DotAndBound{sweep(space, n, chunks, dot), 0};
  };
  return run_steps(space, A, diagonal, row_ids, steps, seed, filter, known_bound, entries, apply);
}

}  // namespace Tessera::comm
