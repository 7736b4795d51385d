#pragma once
/// \file
/// The members of each aggregate on the host: a counting sort, each thread with its own counters.
#include <omp.h>

#include <algorithm>
#include <utility>

#include "galerkin/members.hpp"

namespace Tessera::galerkin {

/// visit(thread, a, c) for the candidates c that belong to an aggregate a, in order; thread t takes the t-th
/// stretch.
template <class Visit>
void visit_candidates(std::size_t threads, CandidateAggregate const& aggregate_of, Visit const& visit) {
  auto const candidates = aggregate_of.own.size() + aggregate_of.visitor.size();
#pragma omp parallel for schedule(static, 1) if (threads > 1)
  for (std::size_t t = 0; t < threads; ++t) {
    auto const of = aggregate_of;
    auto const end = static_cast<Index>(candidates * (t + 1) / threads);
    for (auto c = static_cast<Index>(candidates * t / threads); c < end; ++c) {
      if (Index const a = of(c); a >= 0) visit(t, a, c);
    }
  }
}

/// In each aggregate a thread's members stand behind those of threads before it, so that all are in order.
inline Members<Host> members_of(Host const& space, CandidateAggregate const& aggregate_of) {
  auto const aggregates = static_cast<std::size_t>(aggregate_of.end - aggregate_of.begin);
  bool const serial = aggregate_of.own.size() < core::serial_below;
  std::size_t const threads = serial ? 1 : omp_get_max_threads();
  Array<Index, Host> next(space, threads * aggregates);
  core::fill(space, next.span(), 0);
  Index* const counter = next.data();
  visit_candidates(threads, aggregate_of,
                   [=](std::size_t t, Index a, Index) { ++counter[t * aggregates + a]; });
  Members<Host> members{Array<Index, Host>(space, aggregates + 1), {}};
  Index* const offset = members.offsets.data();
  core::for_each(space, aggregates, [=](Index a) {
    offset[a] = 0;
    for (std::size_t t = 0; t < threads; ++t)
      offset[a] += std::exchange(counter[t * aggregates + a], offset[a]);
  });
  auto const total =
      core::exclusive_scan(space, members.offsets.span().part(0, aggregates), members.offsets.span());
  members.member = Array<Index, Host>(space, total);
  Index* const member = members.member.data();
  visit_candidates(threads, aggregate_of, [=](std::size_t t, Index a, Index c) {
    member[offset[a] + counter[t * aggregates + a]++] = c;
  });
  return members;
}

}  // namespace Tessera::galerkin
