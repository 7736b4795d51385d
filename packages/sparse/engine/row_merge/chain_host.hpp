#pragma once
/// \file
/// R (A B) on the host, R = P^T, and its refreshes as sums of outer products of rows: nothing of A B is
/// stored.
#include <algorithm>
#include <vector>

#include "sparse/engine/row_merge/blocks_host.hpp"
#include "sparse/engine/row_merge/chain_plan.hpp"
#include "sparse/engine/row_merge/product_plan_host.hpp"
#include "sparse/engine/row_merge/rows_host.hpp"

namespace Tessera::sparse {

namespace detail {

/// A thread's rows of C, and the rows of A B that it sums for them: those from first to last in which P has
/// entries there. What two parts need, both sum.
struct ChainPart {
  Index begin, end;
  Index first, last;
};

/// As many as there are threads, with equal numbers of entries of R; none where they would have too many rows
/// of A B in common, as without any order in the numbering.
inline std::vector<ChainPart> chain_parts(CsrView<double> R, int width) {
  auto const entries = static_cast<std::ptrdiff_t>(R.column.size());
  std::int64_t const wanted = entries < core::serial_below ? 1 : omp_get_max_threads();
  std::vector<ChainPart> parts(wanted);
  for_parts(parts.size(), [&](std::size_t t) {
    auto const row_at = [&](std::int64_t s) {
      auto const begin = R.offsets.begin(), end = begin + R.rows;
      auto const row = std::lower_bound(begin, end, entries * s / wanted) - begin;
      return s == wanted ? R.rows : static_cast<Index>(row / width * width);
    };
    ChainPart part{row_at(t), row_at(t + 1), R.columns, 0};
    for (Index I = part.begin; I < part.end; I += width) {
      if (R.offsets[I] == R.offsets[I + 1]) continue;
      part.first = std::min(part.first, R.column[R.offsets[I]]);
      part.last = std::max(part.last, R.column[R.offsets[I + 1] - 1] + 1);
    }
    parts[t] = part;
  });
  std::int64_t rows = 0;
  for (auto const& part : parts) rows += std::max(0, part.last - part.first);
  if (rows > 4 * std::int64_t{R.columns}) return {};
  return parts;
}

/// Finds the slots of some rows' products in C: a table tells those of the row's columns.
/// Tried: slots row by row of R instead of P, 50 ms slower at 101^3 (a cache line for each coarse neighbour).
class OuterSlots {
 public:
  OuterSlots(ChainOperands<Host> const& of, PackedRows const& AB, CsrView<double> C, ChainPlan<Host>& plan)
      : P_(of.P),
        R_(of.R.matrix.view()),
        source_(of.R.source.view()),
        width_(of.blocks.width),
        AB_(AB),
        C_(C),
        plan_(plan),
        slot_of_(Host{}, C.columns / of.blocks.width) {}

  void operator()(Index begin, Index end) {
    auto const entries = static_cast<Offset>(R_.column.size());
    for (Index I = begin; I < end; ++I) {
      auto const row = static_cast<Offset>(I) * width_;
      auto const first = C_.offsets[row], count = (C_.offsets[row + 1] - first) / width_;
      for (Offset s = 0; s < count; ++s)
        slot_of_[C_.column[first + s * width_] / width_] = static_cast<unsigned char>(s);
      for (Offset r = R_.offsets[row]; r < R_.offsets[row + 1]; ++r) {
        if (r + ahead < entries) ask_for(R_.column[r + ahead]);
        auto const i = R_.column[r];
        auto const inner = AB_.row(i);
        unsigned char* const outer = plan_.outer_of(i, (source_[r] - P_.offsets[i]) / width_);
        for (Index s = 0; s < inner.count; ++s) outer[s] = slot_of_[inner.column[s]];
      }
    }
  }

 private:
  static constexpr Offset ahead = 12;  ///< entries; rows of an aggregate lie in several stretches of memory
  void ask_for(Index i) const {
    AB_.ahead(i);
    core::prefetch(plan_.outer.data() + plan_.first_outer[i]);
  }

  CsrView<double> P_, R_;
  Span<Index const> source_;
  int width_;
  PackedRows const& AB_;
  CsrView<double> C_;
  ChainPlan<Host>& plan_;
  Array<unsigned char, Host> slot_of_;
};

/// Not `found` where a row of A B or of C has more blocks than a byte can number, there are 2^31 products or
/// a thread's table of columns would be too large. \throws core::OutOfMemory
template <int Width>
ChainPlan<Host> chain_plan(Host const& space, ChainOperands<Host> const& of, PackedRows const& AB,
                           CsrView<double> C) {
  ChainPlan<Host> plan;
  int const w = of.blocks.width;
  auto const longest = detail::longest(space, C.rows / w, [&](Index I) {
    auto const row = static_cast<Offset>(I) * w;
    return static_cast<Index>((C.offsets[row + 1] - C.offsets[row]) / w);
  });
  if (longest > most_slots) return plan;
  plan.inner = plan_of(space, CsrFactors{of.A}, CsrSources<Width>{of.B, w}, AB);
  if (!plan.inner.found) return {};
  plan.length = Array<unsigned char, Host>(space, of.A.rows);
  plan.first_outer = Array<Index, Host>(space, static_cast<std::size_t>(of.P.rows) + 1);
  core::for_each(space, of.P.rows, [&](Index i) {
    auto const length = AB.row(i).count;
    plan.length[i] = static_cast<unsigned char>(length);
    auto const products = (of.P.offsets[i + 1] - of.P.offsets[i]) / w * length;
    plan.first_outer[i] = static_cast<Index>(std::min<Offset>(products, std::numeric_limits<Index>::max()));
  });
  if (!add_up(space, plan.first_outer)) return {};
  plan.outer = Array<unsigned char, Host>(space, plan.first_outer[of.P.rows]);
  for_row_blocks(C.rows / w, [&] { return OuterSlots(of, AB, C, plan); });
  plan.found = true;
  return plan;
}

/// Adds one part's products up: C(I,:) = sum over i, ascending, of P(i,I) (A B)(i,:). Row i of A B is summed
/// in the first cache, in A's order, then added to the rows of C in which row i of P has entries; these are
/// few, and near, where numberings follow the mesh. So every sum is bitwise that of two products, for any
/// parts.
template <int Width>
class OuterSums {
 public:
  OuterSums(ChainOperands<Host> const& of, ChainPlan<Host> const& plan, Csr<double, Host>& C)
      : P_(of.P),
        width_(of.blocks.width),
        plan_(plan),
        C_(C),
        sum_up_({of.A}, {of.B, of.blocks.width}, plan.inner),
        row_(Host{}, sum_up_.room()) {}

  void operator()(ChainPart const& part) {
    int const w = Width > 0 ? Width : width_;
    double* const sums = C_.value.data();
    std::fill(sums + C_.offsets[part.begin], sums + C_.offsets[part.end], 0.0);
    for (Index i = part.first; i < part.last; ++i) {
      bool summed = false;
      Index const length = plan_.length[i];
      auto const begin = P_.offsets[i];
      for (Offset k = begin; k < P_.offsets[i + 1]; k += w) {
        Index const I = P_.column[k];
        if (I < part.begin || I >= part.end) continue;
        if (!summed) sum_up_(i, length, row_.data());
        summed = true;
        add(length, w, P_.value.data() + k, row_.data(), plan_.outer_of(i, (k - begin) / w),
            sums + C_.offsets[I], C_.offsets[I + 1] - C_.offsets[I]);
      }
    }
  }

 private:
  /// A block of P times a row of A B, to rows of C that are `next` apart.
  static void add(Index count, int w, double const* __restrict p, double const* __restrict row,
                  unsigned char const* __restrict slot, double* __restrict sum, Offset next) {
    if constexpr (Width == 1) {
      double const factor = *p;
      for (Index s = 0; s < count; ++s) sum[slot[s]] += factor * row[s];
    } else {
      for (Index s = 0; s < count; ++s, row += w) {
        double* here = sum + static_cast<Offset>(slot[s]) * w;
        for (int r = 0; r < w; ++r, here += next) {
          for (int c = 0; c < w; ++c) here[c] += p[r] * row[c];
        }
      }
    }
  }

  CsrView<double> P_;
  int width_;
  ChainPlan<Host> const& plan_;
  Csr<double, Host>& C_;
  SlotSums<Width, CsrFactors, CsrSources<Width>> sum_up_;
  Array<double, Host> row_;
};

}  // namespace detail

/// The sums of R (A B) run over rows of A B, in which the order of the columns does not matter: so A B is
/// neither sorted nor brought together.
template <int Width>
Csr<double, Host> host_chain(Host const& space, ChainOperands<Host> const& of, ChainPlan<Host>* keep) {
  int const w = of.blocks.width;
  auto const R = of.R.matrix.view();
  PackedRows AB(of.A.rows, of.B.columns, w);
  Csr<double, Host> result;
  {
    PackedRows C(R.rows, of.B.columns);
    if constexpr (Width == 1) {
      merge_rows(CsrFactors{of.A}, CsrSources<1>{of.B}, PlainSums{}, false, AB);
      merge_rows(CsrFactors{R}, AB, PlainSums{}, true, C);
    } else {
      merge_block_rows<Width>(CsrFactors{of.A}, CsrSources<Width>{of.B, w}, PlainSums{}, 1, w, false, AB);
      merge_block_rows<Width>(BlockRowFactors{R, w}, AB, PlainSums{}, w, w, true, C);
    }
    if (keep == nullptr) {
      AB.rows = {};
      AB.chunks.clear();
    }
    result = to_csr(space, C);
  }
  if (keep != nullptr) *keep = detail::chain_plan<Width>(space, of, AB, result.view());
  return result;
}

/// New values of the operands; what cannot be summed through slots is made anew.
template <int Width>
void refresh_host_chain(Host const& space, ChainOperands<Host> const& of, ChainPlan<Host> const& plan,
                        Csr<double, Host>& C) {
  auto const parts = detail::chain_parts(of.R.matrix.view(), of.blocks.width);
  if (parts.empty() || !plan.found) {
    C.value = std::move(host_chain<Width>(space, of, nullptr).value);
    return;
  }
  for_parts(parts.size(), [&](std::size_t t) { detail::OuterSums<Width>(of, plan, C)(parts[t]); });
}

}  // namespace Tessera::sparse
