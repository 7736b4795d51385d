#pragma once
/// \file
/// Gather, invert or factor, apply, scatter.
#include "core/interleaved.hpp"
#include "core/parallel.hpp"
#include "multigrid/coarse_solver.hpp"

namespace Tessera::multigrid {

/// A column, whose numbers are a stride apart, from numbers of one type to those of another.
template <class From, class To>
struct ConvertColumn {
  From const* source;
  Index source_stride;
  To* target;
  Index target_stride;
  TESSERA_HD void operator()(Index i) const {
    target[Offset{i} * target_stride] = static_cast<To>(source[Offset{i} * source_stride]);
  }
};

template <class T, class Space>
CoarseSolver<T, Space>::CoarseSolver(Space const& space, comm::DistCsr<double, Space> const& A,
                                     Array<double, Space> const* summed, NearNullspaceOn<Space> const& near,
                                     sparse::DirectSolvers<Space> direct)
    : directs_(std::move(direct)) {
  prepare(space, A.rows);
  make(space, A, summed, gathered_nullspace(space, A, near));
}

template <class T, class Space>
void CoarseSolver<T, Space>::make_loaded(Space const& space, comm::DistCsr<double, Space> const& A,
                                         Array<double, Space> const* summed) {
  make(space, A, summed, inverse_.near_nullspace());
}

template <class T, class Space>
void CoarseSolver<T, Space>::make(Space const& space, comm::DistCsr<double, Space> const& A,
                                  Array<double, Space> const* summed, NearNullspaceOfRows near) {
  if (spread_) {
    gathered_ = gather_.matrix(space, A);
    gather_summed(space, summed);
  }
  auto names = names_of_rows(space, A);
  with_whole(A, summed, [&](auto const& whole, auto of_all) {
    if (directs_.make) {
      factor(space, whole);
    } else {
      inverse_ = DenseInverse<T, Space>(space, whole, of_all, std::move(names), std::move(near));
    }
  });
  gathered_summed_ = {};
}

template <class T, class Space>
void CoarseSolver<T, Space>::factor(Space const& space, sparse::Csr<double, Space> const& A) {
  TESSERA_VALIDATE(A.rows == A.columns, "the coarsest matrix has ", A.rows, " rows and ", A.columns,
                   " columns");
  if (direct_) {
    direct_->refactor(space, A);
  } else {
    direct_ = directs_.make(space, A);
    direct_b_ = Array<double, Space>(space, static_cast<std::size_t>(A.rows));
    direct_x_ = Array<double, Space>(space, static_cast<std::size_t>(A.rows));
  }
  require_solution(directs_.name, *direct_, space, A.view());
}

template <class T, class Space>
NearNullspaceOfRows CoarseSolver<T, Space>::gathered_nullspace(Space const& space,
                                                               comm::DistCsr<double, Space> const& A,
                                                               NearNullspaceOn<Space> const& near) const {
  if (directs_.make) return {};
  auto const rows = spread_ ? gather_.to().local_size() : A.rows.local_size();
  auto const count = static_cast<std::size_t>(rows);
  if (near.ones) return {1, std::vector<double>(count, 1.0)};
  if (!spread_) return {near.vectors, core::to_vector(space, near.values)};
  Array<double, Space> all(space, count * near.vectors);
  gather_.forward(space, near.values, all.span(), near.vectors);
  return {near.vectors, core::to_vector(space, all.view())};
}

template <class T, class Space>
std::vector<GlobalIndex> CoarseSolver<T, Space>::names_of_rows(Space const& space,
                                                               comm::DistCsr<double, Space> const& A) const {
  std::vector<GlobalIndex> names;
  if (!A.user_row) return names;
  names.resize(A.local.rows);
  for (Index i = 0; i < A.local.rows; ++i) names[i] = A.row_name(i);
  if (!spread_) return names;
  auto const mine = core::to_space(space, names);
  Array<GlobalIndex, Space> all(space, gather_.to().local_size());
  gather_.forward(space, mine.view(), all.span());
  return core::to_vector(space, all.view());
}

template <class T, class Space>
void CoarseSolver<T, Space>::prepare(Space const& space, comm::Distribution const& rows) {
  comm_ = rows.comm();
  spread_ = rows.begin(1) < rows.global_size();
  if (!spread_) return;
  gather_ = comm::Redistribution<Space>(space, rows, comm_.size());
  b_ = Array<T, Space>(space, gather_.to().local_size());
  x_ = Array<T, Space>(space, gather_.to().local_size());
}

template <class T, class Space>
void CoarseSolver<T, Space>::archive(core::Archive& file, Space const& space,
                                     comm::Distribution const& rows) {
  TESSERA_EXPECT(!directs_.make);
  auto& [all_ranks, spread, gather, gathered, gathered_summed, inverse, directs, direct, direct_b, direct_x,
         b, x, block_b, block_x] = *this;
  if (!file.saves()) prepare(space, rows);
  auto const here = spread ? gather.to().local_size() : rows.local_size();
  inverse.archive(file, space, here);
}

template <class T, class Space>
void CoarseSolver<T, Space>::begin_refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                                           Array<double, Space> const* summed) {
  if (spread_) {
    gather_.refresh(space, A, gathered_);
    gather_summed(space, summed);
  }
  if (directs_.make) return;
  with_whole(A, summed,
             [&](auto const& whole, auto of_all) { inverse_.begin_refresh(space, whole, of_all); });
}

template <class T, class Space>
void CoarseSolver<T, Space>::end_refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                                         Array<double, Space> const* summed) {
  with_whole(A, summed, [&](auto const& whole, auto of_all) {
    if (directs_.make) {
      factor(space, whole);
    } else {
      inverse_.end_refresh(space, whole, of_all);
    }
  });
  gathered_summed_ = {};
}

template <class T, class Space>
void CoarseSolver<T, Space>::gather_summed(Space const& space, Array<double, Space> const* summed) {
  if (summed == nullptr) return;
  gathered_summed_ = Array<double, Space>(space, gather_.to().local_size());
  gather_.forward(space, summed->view(), gathered_summed_.span());
}

template <class T, class Space>
template <class Work>
void CoarseSolver<T, Space>::with_whole(comm::DistCsr<double, Space> const& A,
                                        Array<double, Space> const* summed, Work const& work) {
  auto const& whole = spread_ ? gathered_.local : A.local;
  comm::agree_on_errors(comm_, [&] {
    if (whole.rows == 0) return;
    if (summed == nullptr) return work(whole, Span<double const>());
    work(whole, spread_ ? Span<double const>(gathered_summed_.view()) : Span<double const>(summed->view()));
  });
}

template <class T, class Space>
template <class X>
void CoarseSolver<T, Space>::apply(Space const& space, Span<X const> b, Span<X> x) const {
  if (!spread_) return solve_whole(space, b, x);
  constexpr int columns = core::columns_of<X>;
  auto const whole_b = core::rows_of_block<X>((columns == 1 ? b_ : block_b_).span(), b_.size());
  auto const whole_x = core::rows_of_block<X>((columns == 1 ? x_ : block_x_).span(), x_.size());
  gather_.forward(space, core::numbers(b), core::numbers(whole_b), columns);
  solve_whole(space, Span<X const>(whole_b), whole_x);
  gather_.backward(space, core::numbers(Span<X const>(whole_x)), core::numbers(x), columns);
}

template <class T, class Space>
void CoarseSolver<T, Space>::reserve_columns(Space const& space, int columns) {
  auto const size = b_.size() * static_cast<std::size_t>(columns);
  for (auto* whole : {&block_b_, &block_x_}) *whole = Array<T, Space>(space, size);
}

template <class T, class Space>
template <class X>
void CoarseSolver<T, Space>::solve_whole(Space const& space, Span<X const> b, Span<X> x) const {
  if (!directs_.make) return inverse_.apply(space, b, x);
  if (!direct_) return;
  constexpr Index columns = core::columns_of<X>;
  for (Index c = 0; c < columns; ++c) {
    core::for_each(space, b.size(),
                   ConvertColumn<T, double>{core::numbers(b).data() + c, columns, direct_b_.data(), 1});
    direct_->solve(space, direct_b_.view(), direct_x_.span());
    core::for_each(space, x.size(),
                   ConvertColumn<double, T>{direct_x_.data(), 1, core::numbers(x).data() + c, columns});
  }
}

template <class T, class Space>
GlobalIndex CoarseSolver<T, Space>::factor_entries() const {
  return comm_.sum(direct_ ? direct_->factor_entries() : GlobalIndex{0});
}

template <class T, class Space>
GlobalIndex CoarseSolver<T, Space>::deficiency() const {
  return comm_.sum(GlobalIndex{inverse_.size() - inverse_.rank()});
}

}  // namespace Tessera::multigrid
