#pragma once
/// \file
/// Bodies over the elements of lists, for groups of any size, and their results.
#include <cstdint>
#include <vector>

#include "core/group.hpp"
#include "core/hash.hpp"

namespace Tessera::core {

/// Element e of list i.
TESSERA_HD inline std::int64_t element(Offset e) {
  return static_cast<std::int64_t>(mix64(static_cast<std::uint64_t>(e)) % 1000);
}

/// A number and its position.
struct Placed {
  std::int64_t value;
  Index at;
  Index padding;
};

struct Larger {
  TESSERA_HD Placed operator()(Placed const& a, Placed const& b) const {
    return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
  }
};

/// Calls every collective member of a group.
struct EveryCollective {
  Span<Offset const> offsets;
  Span<std::int64_t> sum, largest_at, odd, any_zero, first;
  Span<std::int64_t> chosen;   ///< the odd elements of each list, in order, then -1
  Span<double> by_last_digit;  ///< ten for each list: sums of 1 / element in the order of the list

  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index i) const {
    auto const begin = offsets[i], end = offsets[i + 1];
    for (int d = group.lane; d < 10; d += Group::size) by_last_digit[10 * i + d] = 0;
    group.sync();
    std::int64_t total = 0, odds = 0;
    Placed largest{-1, -1, 0};
    bool zero = false;
    auto place = begin;
    for (auto start = begin; start < end; start += Group::size) {
      auto const e = start + group.lane;
      bool const inside = e < end;
      auto const x = inside ? element(e) : 0;
      total += x;
      zero = zero || (inside && x == 0);
      if (inside) largest = Larger{}(largest, {x, static_cast<Index>(e - begin), 0});
      bool const is_odd = x % 2 == 1;
      odds += is_odd ? 1 : 0;
      int count = 0;
      int const before = group.count_before(is_odd, count);
      if (is_odd) chosen[place + before] = x;
      place += group.count(is_odd);
      if (count != group.count(is_odd)) total = -1000;
      int const turn = group.count_same_before(inside ? static_cast<int>(x % 10) : -1);
      for (int t = 0; group.any(inside && turn >= t); ++t) {
        if (inside && turn == t) by_last_digit[10 * i + x % 10] += 1.0 / static_cast<double>(x + 1);
        group.sync();
      }
    }
    for (auto e = place + group.lane; e < end; e += Group::size) chosen[e] = -1;
    total = group.sum(total);
    largest = group.reduce(largest, Larger{});
    odds = group.sum(odds);
    zero = group.any(zero);
    auto const scan = group.inclusive_scan(Offset{1});
    auto const own = group.broadcast(begin + group.lane, 0);
    if (scan != group.lane + 1 || own != begin) total = -1;
    if (group.lane == 0) {
      sum[i] = total;
      largest_at[i] = largest.at;
      odd[i] = odds;
      any_zero[i] = zero ? 1 : 0;
      first[i] = begin == end ? -1 : element(begin);
    }
  }
};

/// All results of EveryCollective, array by array; go launches the body.
template <class Space, class Go>
std::vector<double> found_by_groups(Space const& space, std::vector<Offset> const& offsets, Go const& go) {
  auto const n = offsets.size() - 1;
  auto const elements = static_cast<std::size_t>(offsets.back());
  auto const of_lists = to_space(space, offsets);
  Array<std::int64_t, Space> numbers(space, 5 * n + elements);
  Array<double, Space> digits(space, 10 * n);
  auto const part = [&](std::size_t k) { return numbers.span().part(k * n, n); };
  go(n, elements,
     EveryCollective{of_lists.view(), part(0), part(1), part(2), part(3), part(4),
                     numbers.span().part(5 * n, elements), digits.span()});
  auto const integers = to_vector(space, numbers.view());
  std::vector<double> all(integers.begin(), integers.end());
  for (auto const x : to_vector(space, digits.view())) all.push_back(x);
  return all;
}

/// Lists of 0, 1, ... `longest` elements, followed by lists of random length.
inline std::vector<Offset> lists_up_to(Offset longest) {
  std::vector<Offset> offsets{0};
  for (Offset length = 0; length <= longest; ++length) offsets.push_back(offsets.back() + length);
  for (std::uint64_t i = 0; i < 5000; ++i)
    offsets.push_back(offsets.back() +
                      static_cast<Offset>(mix64(i) % (static_cast<std::uint64_t>(longest) + 1)));
  return offsets;
}

}  // namespace Tessera::core
