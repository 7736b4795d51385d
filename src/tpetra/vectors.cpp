#include "tpetra/vectors.hpp"

namespace Tessera::tpetra {

namespace {

/// Tpetra's views are LayoutLeft: a column is contiguous, columns are stride(1) apart. A view of one column
/// may say stride(1) = 0.
template <class View, class T>
void add_columns(View const& view, std::vector<Span<T>>& columns) {
  for (std::size_t c = 0; c < view.extent(1); ++c) {
    columns.push_back({view.data() + c * view.stride(1), view.extent(0)});
  }
}

}  // namespace

ReadColumns::ReadColumns(MultiVector const& X) {
  if (X.isConstantStride()) {
    views_.push_back(X.getLocalViewHost(::Tpetra::Access::ReadOnly));
  } else {
    for (std::size_t c = 0; c < X.getNumVectors(); ++c) {
      views_.push_back(X.getVector(c)->getLocalViewHost(::Tpetra::Access::ReadOnly));
    }
  }
  for (auto const& view : views_) add_columns(view, columns_);
}

WriteColumns::WriteColumns(MultiVector& X, Before before) {
  auto const view = [before](MultiVector& Y) -> View {
    if (before == Before::kept) return Y.getLocalViewHost(::Tpetra::Access::ReadWrite);
    return Y.getLocalViewHost(::Tpetra::Access::OverwriteAll);
  };
  if (X.isConstantStride()) {
    views_.push_back(view(X));
  } else {
    for (std::size_t c = 0; c < X.getNumVectors(); ++c) views_.push_back(view(*X.getVectorNonConst(c)));
  }
  for (auto const& columns : views_) add_columns(columns, columns_);
}

}  // namespace Tessera::tpetra
