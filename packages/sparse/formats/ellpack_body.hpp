#pragma once
/// \file
/// ELLPACK-R and HYB from CSR.
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/formats/formats.hpp"
#include "sparse/formats/slots_body.hpp"

namespace Tessera::sparse {

/// \throws core::InvalidInput if the longest row makes ELLPACK-R much larger than CSR
template <class T, class From, class Space>
void store_rows(Space const& space, CsrRows<From> rows, EllpackR<T, Space>& S) {
  constexpr std::size_t most_padding = 16, always = 1 << 20;
  list_rows(space, rows, SlotWalk<Host>::block, S, S.entries);
  auto const slots = S.row.size();
  core::Load<Index, Offset> const length{S.entries.data()};
  S.nonzeros = static_cast<std::size_t>(core::sum(space, slots, length));
  auto const longest = static_cast<std::size_t>(core::reduce(space, slots, length, core::Max{}, Offset{0}));
  TESSERA_VALIDATE(longest * slots <= most_padding * S.nonzeros + always, "ELLPACK-R stores ", longest,
                   " entries for each of ", S.stored_rows, " rows, which have ", S.nonzeros,
                   " entries in all (all rows are as long as the longest); use pJDS, SELL-C-sigma or CSR");
  S.value = Array<T, Space>(space, longest * slots);
  S.column = Array<Index, Space>(space, longest * slots);
  fill_slots(space, rows.matrix, true, S.view(), S.value, S.column);
}

template <class T, class From, class Space>
void refresh_rows(Space const& space, CsrView<From> A, EllpackR<T, Space>& S) {
  fill_slots(space, A, false, S.view(), S.value, S.column);
}

/// Candidate widths of HYB, as multiples of the mean length of a row.
inline constexpr double hyb_widths[] = {0.75, 1, 1.25, 1.5, 2, 3};
constexpr int hyb_candidates = static_cast<int>(std::size(hyb_widths));

/// Entries and rows beyond each of these widths.
struct HybRest {
  Offset entries[hyb_candidates];
  Offset rows[hyb_candidates];
};
struct AddHybRest {
  TESSERA_HD HybRest operator()(HybRest a, HybRest const& b) const {
    for (int k = 0; k < hyb_candidates; ++k) {
      a.entries[k] += b.entries[k];
      a.rows[k] += b.rows[k];
    }
    return a;
  }
};
struct HybRestBody {
  Index const* length;
  Index width[hyb_candidates];
  TESSERA_HD HybRest operator()(Index slot) const {
    HybRest rest{};
    for (int k = 0; k < hyb_candidates; ++k) {
      Index const left = length[slot] - width[k];
      rest.entries[k] = left > 0 ? left : 0;
      rest.rows[k] = left > 0 ? 1 : 0;
    }
    return rest;
  }
};

/// The width of the regular part and the cost of a product in bytes. Bytes of the rest count three times,
/// since they take three times as long (Bell, Garland 2009).
struct HybShape {
  int regular = 1;
  double cost = 0;
  double rest = 0;  ///< entries
};

/// The cheapest shape, by one pass over the lengths of rows. mean: mean length.
template <class T, class Space>
HybShape hyb_shape(Space const& space, Span<Index const> lengths, double mean) {
  constexpr double slower = 3;
  HybRestBody body{lengths.data(), {}};
  for (int k = 0; k < hyb_candidates; ++k)
    body.width[k] = std::max(1, static_cast<Index>(std::lround(hyb_widths[k] * mean)));
  auto const rest = core::reduce(space, lengths.size(), body, AddHybRest{}, HybRest{});
  auto const slots = static_cast<double>(lengths.size());
  HybShape best;
  for (int k = 0; k < hyb_candidates; ++k) {
    auto const entries = static_cast<double>(rest.entries[k]);
    double const cost = slots * (body.width[k] * entry_bytes<T> + sizeof(Index)) +
                        slower * (entries * entry_bytes<T> + sizeof(Offset) * rest.rows[k]);
    if (k == 0 || cost < best.cost) best = {body.width[k], cost, entries};
  }
  return best;
}

struct RestBody {
  Index const* length;
  int regular;
  Offset* rest;
  TESSERA_HD void operator()(Index slot) const {
    rest[slot] = length[slot] > regular ? length[slot] - regular : 0;
  }
};

template <class T, class From, class Space>
void store_rows(Space const& space, CsrRows<From> rows, Hyb<T, Space>& S) {
  list_rows(space, rows, SlotWalk<Host>::block, S, S.entries);
  auto const slots = S.row.size();
  S.nonzeros = static_cast<std::size_t>(core::sum(space, slots, core::Load<Index, Offset>{S.entries.data()}));
  auto const mean = static_cast<double>(S.nonzeros) / std::max(1, S.stored_rows);
  auto const shape = hyb_shape<T>(space, S.entries.view(), mean);
  S.regular = shape.regular;
  std::size_t rest = 0;
  if (shape.rest > 0) {
    S.rest = Array<Offset, Space>(space, slots + 1);
    core::for_each(space, slots, RestBody{S.entries.data(), S.regular, S.rest.data()});
    rest = static_cast<std::size_t>(core::exclusive_scan(space, S.rest.span().part(0, slots), S.rest.span()));
  }
  S.value = Array<T, Space>(space, S.regular * slots + rest);
  S.column = Array<Index, Space>(space, S.regular * slots + rest);
  fill_slots(space, rows.matrix, true, S.view(), S.value, S.column);
}

template <class T, class From, class Space>
void refresh_rows(Space const& space, CsrView<From> A, Hyb<T, Space>& S) {
  fill_slots(space, A, false, S.view(), S.value, S.column);
}

}  // namespace Tessera::sparse
