#pragma once
/// \file
/// Gather, invert or factor, apply, scatter.
#include "core/interleaved.hpp"
#include "core/parallel.hpp"
#include "multigrid/coarse_solver.hpp"

namespace Tessera::multigrid {

/// Copies a column, whose numbers are a stride apart, and converts its type.
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
                                     Array<double, Space> const* diagonal_scale,
                                     NearNullspaceOn<Space> const& near, sparse::DirectSolvers<Space> direct)
    : solvers_(std::move(direct)) {
  prepare(space, A.rows);
  make(space, A, diagonal_scale, gathered_nullspace(space, A, near));
}

template <class T, class Space>
void CoarseSolver<T, Space>::make_loaded(Space const& space, comm::DistCsr<double, Space> const& A,
                                         Array<double, Space> const* diagonal_scale) {
  make(space, A, diagonal_scale, inverse_.near_nullspace());
}

template <class T, class Space>
void CoarseSolver<T, Space>::make(Space const& space, comm::DistCsr<double, Space> const& A,
                                  Array<double, Space> const* diagonal_scale, NearNullspaceOfRows near) {
  if (is_distributed_) {
    gathered_ = gather_.matrix(space, A);
    gather_scale(space, diagonal_scale);
  }
  auto ids = user_row_ids(space, A);
  with_gathered(A, diagonal_scale, [&](auto const& whole, auto of_all) {
    if (solvers_.make) {
      factor(space, whole);
    } else {
      inverse_ = DenseInverse<T, Space>(space, whole, of_all, std::move(ids), std::move(near));
    }
  });
  gathered_scale_ = {};
}

template <class T, class Space>
void CoarseSolver<T, Space>::factor(Space const& space, sparse::Csr<double, Space> const& A) {
  TESSERA_VALIDATE(A.rows == A.columns, "the coarsest matrix has ", A.rows, " rows and ", A.columns,
                   " columns");
  if (solver_) {
    solver_->refactor(space, A);
  } else {
    solver_ = solvers_.make(space, A);
    direct_b_ = Array<double, Space>(space, static_cast<std::size_t>(A.rows));
    direct_x_ = Array<double, Space>(space, static_cast<std::size_t>(A.rows));
  }
  require_solution(solvers_.name, *solver_, space, A.view());
}

template <class T, class Space>
NearNullspaceOfRows CoarseSolver<T, Space>::gathered_nullspace(Space const& space,
                                                               comm::DistCsr<double, Space> const& A,
                                                               NearNullspaceOn<Space> const& near) const {
  if (solvers_.make) return {};
  auto const rows = is_distributed_ ? gather_.to().local_size() : A.rows.local_size();
  auto const count = static_cast<std::size_t>(rows);
  if (near.ones) return {1, std::vector<double>(count, 1.0)};
  if (!is_distributed_) return {near.vectors, core::to_vector(space, near.values)};
  Array<double, Space> all(space, count * near.vectors);
  gather_.forward(space, near.values, all.span(), near.vectors);
  return {near.vectors, core::to_vector(space, all.view())};
}

template <class T, class Space>
std::vector<GlobalIndex> CoarseSolver<T, Space>::user_row_ids(Space const& space,
                                                              comm::DistCsr<double, Space> const& A) const {
  std::vector<GlobalIndex> ids;
  if (!A.user_row) return ids;
  ids.resize(A.local.rows);
  for (Index i = 0; i < A.local.rows; ++i) ids[i] = A.row_name(i);
  if (!is_distributed_) return ids;
  auto const mine = core::to_space(space, ids);
  Array<GlobalIndex, Space> all(space, gather_.to().local_size());
  gather_.forward(space, mine.view(), all.span());
  return core::to_vector(space, all.view());
}

template <class T, class Space>
void CoarseSolver<T, Space>::prepare(Space const& space, comm::Distribution const& rows) {
  comm_ = rows.comm();
  is_distributed_ = rows.begin(1) < rows.global_size();
  if (!is_distributed_) return;
  gather_ = comm::Redistribution<Space>(space, rows, comm_.size());
  b_ = Array<T, Space>(space, gather_.to().local_size());
  x_ = Array<T, Space>(space, gather_.to().local_size());
}

template <class T, class Space>
void CoarseSolver<T, Space>::archive(core::Archive& file, Space const& space,
                                     comm::Distribution const& rows) {
  TESSERA_EXPECT(!solvers_.make);
  auto& [all_ranks, spread, gather, gathered, gathered_summed, inverse, directs, direct, direct_b, direct_x,
         b, x, block_b, block_x] = *this;
  if (!file.saves()) prepare(space, rows);
  auto const here = spread ? gather.to().local_size() : rows.local_size();
  inverse.archive(file, space, here);
}

template <class T, class Space>
void CoarseSolver<T, Space>::begin_refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                                           Array<double, Space> const* diagonal_scale) {
  if (is_distributed_) {
    gather_.refresh(space, A, gathered_);
    gather_scale(space, diagonal_scale);
  }
  if (solvers_.make) return;
  with_gathered(A, diagonal_scale,
                [&](auto const& whole, auto of_all) { inverse_.begin_refresh(space, whole, of_all); });
}

template <class T, class Space>
void CoarseSolver<T, Space>::end_refresh(Space const& space, comm::DistCsr<double, Space> const& A,
                                         Array<double, Space> const* diagonal_scale) {
  with_gathered(A, diagonal_scale, [&](auto const& whole, auto of_all) {
    if (solvers_.make) {
      factor(space, whole);
    } else {
      inverse_.end_refresh(space, whole, of_all);
    }
  });
  gathered_scale_ = {};
}

template <class T, class Space>
void CoarseSolver<T, Space>::gather_scale(Space const& space, Array<double, Space> const* diagonal_scale) {
  if (diagonal_scale == nullptr) return;
  gathered_scale_ = Array<double, Space>(space, gather_.to().local_size());
  gather_.forward(space, diagonal_scale->view(), gathered_scale_.span());
}

template <class T, class Space>
template <class Work>
void CoarseSolver<T, Space>::with_gathered(comm::DistCsr<double, Space> const& A,
                                           Array<double, Space> const* diagonal_scale, Work const& work) {
  auto const& whole = is_distributed_ ? gathered_.local : A.local;
  comm::agree_on_errors(comm_, [&] {
    if (whole.rows == 0) return;
    if (diagonal_scale == nullptr) return work(whole, Span<double const>());
    work(whole, is_distributed_ ? Span<double const>(gathered_scale_.view())
                                : Span<double const>(diagonal_scale->view()));
  });
}

template <class T, class Space>
template <class X>
void CoarseSolver<T, Space>::apply(Space const& space, Span<X const> b, Span<X> x) const {
  if (!is_distributed_) return solve_gathered(space, b, x);
  constexpr int columns = core::columns_of<X>;
  auto const gathered_b = core::rows_of_block<X>((columns == 1 ? b_ : block_b_).span(), b_.size());
  auto const gathered_x = core::rows_of_block<X>((columns == 1 ? x_ : block_x_).span(), x_.size());
  gather_.forward(space, core::numbers(b), core::numbers(gathered_b), columns);
  solve_gathered(space, Span<X const>(gathered_b), gathered_x);
  gather_.backward(space, core::numbers(Span<X const>(gathered_x)), core::numbers(x), columns);
}

template <class T, class Space>
template <class X>
void CoarseSolver<T, Space>::solve_gathered(Space const& space, Span<X const> b, Span<X> x) const {
  if (!solvers_.make) return inverse_.apply(space, b, x);
  if (!solver_) return;
  constexpr Index columns = core::columns_of<X>;
  for (Index c = 0; c < columns; ++c) {
    core::for_each(space, b.size(),
                   ConvertColumn<T, double>{core::numbers(b).data() + c, columns, direct_b_.data(), 1});
    solver_->solve(space, direct_b_.view(), direct_x_.span());
    core::for_each(space, x.size(),
                   ConvertColumn<double, T>{direct_x_.data(), 1, core::numbers(x).data() + c, columns});
  }
}

}  // namespace Tessera::multigrid
