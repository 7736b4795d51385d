#pragma once
/// \file
/// Assembly of G from the entries that the postfilter keeps.
#include "core/group.hpp"
#include "fsai/factor.hpp"

namespace Tessera::fsai {

/// used[c] = 1 for each ghost column c with a kept entry. Concurrent writes store the same value.
struct MarkUsedGhostsBody {
  PatternView pattern;
  Numbering numbering;
  Span<unsigned char const> keep;
  Span<unsigned char> used;
  TESSERA_HD void operator()(Index r) const {
    for (Offset k = pattern.offsets[r]; k < pattern.offsets[r + 1]; ++k) {
      auto const number = numbering.number(pattern.column[k]);
      if (keep[k] != 0 && number >= numbering.owned) used[number - numbering.owned] = 1;
    }
  }
};

/// Copies kept values, and their columns with local indices of G. new_column may be null.
struct CopyKeptBody {
  PatternView pattern;
  Span<unsigned char const> keep;
  Span<double const> value;
  Span<Offset const> offsets;  ///< of G
  Span<Index const> ghost;     ///< index of each ghost row among G's ghosts
  Numbering numbering;
  Index* new_column;
  double* new_value;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index r) const {
    auto const end = pattern.offsets[r + 1];
    auto target = offsets[r];
    for (auto first = pattern.offsets[r]; first < end; first += Group::size) {
      auto const k = first + group.lane;
      bool const kept = k < end && keep[k] != 0;
      int count = 0;
      int const before = group.count_before(kept, count);
      if (kept) take(k, target + before);
      target += count;
    }
  }
  TESSERA_HD void take(Offset k, Offset target) const {
    if (new_column != nullptr) {
      Index const number = numbering.number(pattern.column[k]), owned = numbering.owned;
      new_column[target] = number < owned ? number : owned + ghost[number - owned];
    }
    new_value[target] = value[k];
  }
};

/// The halo of G. number: set to the index of each ghost row of LowerRows among the ghosts of G; -1: G has no
/// such column.
template <class Space>
comm::HaloPlan<Space> factor_halo(Space const& space, comm::DistCsr<double, Space> const& A,
                                  Factor<Space> const& factor, Array<Index, Space>& number) {
  auto const& ghost_rows = factor.lower.ghosts();
  if (A.rows.comm().size() == 1) return A.halo;
  Array<unsigned char, Space> used(space, ghost_rows.size());
  core::fill(space, used.span(), static_cast<unsigned char>(0));
  auto const pattern = factor.pattern.view();
  if (!ghost_rows.empty())
    core::for_each(space, pattern.rows,
                   MarkUsedGhostsBody{pattern, factor.lower.numbering(), factor.keep.view(), used.span()});
  auto const marks = core::to_vector(space, used.view());
  std::vector<GlobalIndex> ghosts;
  std::vector<Index> numbers(ghost_rows.size(), -1);
  for (std::size_t c = 0; c < ghost_rows.size(); ++c) {
    if (marks[c] == 0) continue;
    numbers[c] = static_cast<Index>(ghosts.size());
    ghosts.push_back(ghost_rows[c]);
  }
  number = core::to_space(space, numbers);
  return comm::HaloPlan<Space>(space, A.rows, std::move(ghosts));
}

/// Collective. kept: number of kept entries of each row.
template <class Space>
void assemble_factor(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> value,
                     Span<Index const> kept, Factor<Space>& factor) {
  Array<Index, Space> ghost;
  auto& G = factor.G;
  G.rows = A.rows;
  G.halo = factor_halo(space, A, factor, ghost);
  G.user_row = A.user_row;
  auto const rows = A.local.rows;
  G.local = {rows, rows + G.halo.ghost_count(), Array<Offset, Space>(space, rows + std::size_t{1}), {}, {}};
  auto const entries = core::exclusive_scan(space, kept, G.local.offsets.span());
  G.local.column = Array<Index, Space>(space, entries);
  G.local.value = Array<double, Space>(space, entries);
  core::for_each_group(
      space, rows, value.size(),
      CopyKeptBody{factor.pattern.view(), factor.keep.view(), value, G.local.offsets.view(), ghost.view(),
                   factor.lower.numbering(), G.local.column.data(), G.local.value.data()});
}

/// Copies the kept values into a G that has its columns.
template <class Space>
void copy_kept_values(Space const& space, Span<double const> value, Factor<Space>& factor) {
  auto& G = factor.G.local;
  core::for_each_group(space, G.rows, value.size(),
                       CopyKeptBody{factor.pattern.view(),
                                    factor.keep.view(),
                                    value,
                                    G.offsets.view(),
                                    {},
                                    {},
                                    nullptr,
                                    G.value.data()});
}

}  // namespace Tessera::fsai
