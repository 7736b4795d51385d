#pragma once
/// \file
/// The interface of all preconditioners: hierarchies, bootstraps and factored sparse inverses.
#include <string>
#include <vector>

#include "comm/dist_csr.hpp"
#include "core/archive.hpp"
#include "core/interleaved.hpp"

namespace Tessera::comm {

/// M^-1 of a matrix on one space, after a setup or a load. All functions are collective, except const ones
/// and save().
template <class Space>
class Operator {
 public:
  virtual ~Operator() = default;

  /// Takes new values of A on the same pattern.
  virtual void refresh(DistCsr<double, Space> const& A) = 0;
  /// Saves all that apply() needs, and the data that refresh() cannot recompute. A: of the last setup or
  /// refresh.
  virtual void save(DistCsr<double, Space> const& A, core::Archive& file) = 0;
  /// x = M^-1 b. Owned entries. Allocates nothing on the space.
  virtual void apply(Span<double const> b, Span<double> x) = 0;
  /// Whether apply() only enqueues work, so that it can be a part of a graph (core/graph.hpp).
  virtual bool enqueues_only() const = 0;
  /// Why M^-1 should be in double instead of float, such as too large a ratio of couplings; empty if float
  /// suffices. The same on all ranks.
  virtual std::string double_precision_reason() const { return {}; }
  /// Of the last setup or refresh, such as: coarsening stopped at level 3.
  virtual std::vector<std::string> const& warnings() const = 0;
};

/// The memory of blocks of vectors: rows of several numbers, row-major.
template <class T>
struct BlockMemory {
  Span<T> input, output;
  std::size_t rows = 0;
};

/// T: number type of stored matrices and of vectors; setups are in double.
template <class T, class Space>
class TypedOperator : public Operator<Space> {
 public:
  using Operator<Space>::apply;
  /// apply() without conversions, for callers that convert in their own passes. Reads input(), writes
  /// output(): vectors whose addresses do not change. Owned entries. May overwrite the input.
  virtual void apply() = 0;
  virtual Span<T> input() = 0;
  virtual Span<T const> output() const = 0;

  /// apply() for blocks of several vectors, from block_input() to block_output(). Each column is bitwise that
  /// of a single apply(). reserve_columns() allocates memory and keeps it. columns: 4 or 8. X:
  /// core::Interleaved<T, columns>.
  virtual bool takes_blocks() const { return false; }
  virtual void reserve_columns(int /* columns */) {}
  virtual void apply_block(int /* columns */) {}
  template <class X>
  Span<X> block_input() {
    auto const memory = block_memory();
    return core::rows_of_block<X>(memory.input, memory.rows);
  }
  template <class X>
  Span<X const> block_output() {
    auto const memory = block_memory();
    return core::rows_of_block<X>(memory.output, memory.rows);
  }

 private:
  virtual BlockMemory<T> block_memory() { return {}; }
};

}  // namespace Tessera::comm
