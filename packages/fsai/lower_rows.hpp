#pragma once
/// \file
/// The rows of A that a rank's part of G is made of.
#include "comm/dist_csr.hpp"

namespace Tessera::fsai {

/// What the kernels of this package see: rows and columns in ascending global order, the rank's own rows
/// last. Columns ascend within rows, each row has its diagonal. On one rank (first = 0) this is A itself.
struct LowerRows {
  sparse::CsrView<double> A;  ///< square; ghosts of lower number first, then the owned rows
  Index first = 0;            ///< the first owned row; A.rows - first are owned
};

/// Patterns, columns ascending; row r is row first + r of LowerRows, and its last entry is its diagonal.
struct PatternView {
  Index rows = 0;
  Span<Offset const> offsets;  ///< rows + 1
  Span<Index const> column;    ///< numbered as LowerRows
};

template <class Space>
struct Pattern {
  Array<Offset, Space> offsets;
  Array<Index, Space> column;
  PatternView view() const { return {static_cast<Index>(offsets.size()) - 1, offsets.view(), column.view()}; }
  std::size_t bytes() const { return offsets.bytes() + column.bytes(); }
};

}  // namespace Tessera::fsai
