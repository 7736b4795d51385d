#pragma once
/// \file
/// The factored sparse approximate inverse G^T G of a distributed matrix: setup, refresh, application.
#include <algorithm>
#include <string>
#include <vector>

#include "comm/dist_matrix.hpp"
#include "comm/operator.hpp"
#include "core/graph.hpp"
#include "fsai/factor.hpp"
#include "fsai/report.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::fsai {

/// A factor and its transpose, in the formats of application.
template <class T, class Space>
struct Stage {
  Factor<Space> factor;
  sparse::Transposed<double, Space> transposed;
  comm::DistMatrix<T, Space> G;
  comm::DistTranspose<T, Space> Gt;
  Array<T, Space> product, block_product;  ///< G times the input of this stage

  void store(Space const& space, comm::StorageParameters const& storage);
  void refresh(Space const& space);
  template <class X>
  Span<X> product_of() {
    return core::rows_of_block<X>((core::columns_of<X> == 1 ? product : block_product).span(),
                                  product.size());
  }
  std::size_t bytes() const {
    return factor.lower.bytes() + factor.pattern.bytes() + factor.keep.bytes() + factor.G.local.bytes() +
           transposed.matrix.bytes() + transposed.source.bytes() + G.bytes() + Gt.bytes() + product.bytes() +
           block_product.bytes();
  }
};

/// M^-1 = G^T G.
template <class T, class Space>
class Fsai final : public comm::TypedOperator<T, Space> {
 public:
  /// A is square and symmetric positive definite, and its columns are distributed as its rows. Keeps no
  /// reference to A. Collective; throws the same error on every rank.
  /// \throws core::InvalidInput, core::NumericalError (with the row's name), core::OutOfMemory
  Fsai(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
       comm::StorageParameters const& storage = {});
  /// Loads a preconditioner that save() wrote for the same matrix and parameters. Collective; throws the same
  /// error on every rank.
  /// \throws core::InvalidInput, core::OutOfMemory
  Fsai(Space const& space, comm::DistCsr<double, Space> const& A, Parameters const& parameters,
       comm::StorageParameters const& storage, core::Archive& saved);

  void save(comm::DistCsr<double, Space> const& /* A */, core::Archive& file) override { save(file); }
  void save(core::Archive& file) { archive(file, factor().rows); }

  /// G keeps its patterns before and after the postfilter. Unchanged values give bitwise the same G.
  void refresh(comm::DistCsr<double, Space> const& A) override;

  void apply(Span<double const> b, Span<double> x) override;
  void apply() override;
  Span<T> input() override { return input_.span(); }
  Span<T const> output() const override { return output_.view(); }
  /// x = G^T G b in T, for distinct vectors of the caller. X: T, or a row of a block (core/interleaved.hpp)
  /// of at most as many columns as reserve_columns() had.
  template <class X = T>
  void apply_to(Span<X const> b, Span<X> x);
  /// Exchanges with other ranks included.
  bool enqueues_only() const override { return recordable_; }
  /// Whether exchanges of elements of this size in bytes only enqueue work on this rank.
  bool recordable(std::size_t element) const {
    return std::all_of(stages_.begin(), stages_.end(),
                       [&](auto const& stage) { return stage.G.halo().recordable(space_, element); });
  }

  bool takes_blocks() const override { return true; }
  void reserve_columns(int columns) override;
  void apply_block(int columns) override;

  /// Factor k in double. Factors are applied in ascending order: G = G_1 G_0.
  comm::DistCsr<double, Space> const& factor(std::size_t k = 0) const { return stages_.at(k).factor.G; }

  /// Memory of this rank, and the memory traffic of one apply_to, in bytes.
  std::size_t bytes() const;
  double bytes_moved() const;

  /// Number of rows of all ranks and factors that the setup cut to row_bound() entries.
  GlobalIndex cut_rows() const;
  /// Largest number of entries that a pattern row may have; the least of all factors.
  Index row_bound() const;

  std::vector<std::string> const& warnings() const override { return report_.warnings; }
  /// Collective in the first call after a setup; later calls return the cached report.
  Report const& report();

 private:
  comm::Communicator const& comm() const { return factor().rows.comm(); }
  comm::BlockMemory<T> block_memory() override {
    return {block_input_.span(), block_output_.span(), input_.size()};
  }
  void set_parameters(Parameters const& parameters);
  void store_factors(Index rows, comm::StorageParameters const& storage);
  void archive(core::Archive& file, comm::Distribution const& rows);
  template <class Make>
  void for_each_stage(comm::DistCsr<double, Space> const& A, Make const& make);

  Space space_;
  std::vector<Stage<T, Space>> stages_;  ///< G is the product of their factors, the first one rightmost
  GlobalIndex nonzeros_ = 0;             ///< of the rows of A on this rank
  Array<T, Space> input_, output_, block_input_, block_output_;
  int columns_ = 1;  ///< largest number of columns of a block
  Report report_;
  bool reported_ = false;
  bool recordable_ = false;   ///< products only enqueue work, on every rank
  core::Graph<Space> graph_;  ///< the application from input_ to output_
  bool recorded_ = false;
};

}  // namespace Tessera::fsai
