#include "sparse/transpose.hpp"

#include <limits>

#include "core/counting_sort.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/for_each_entry.hpp"

namespace Tessera::sparse {

struct RowOfEntryBody {
  Offset const* offsets;
  Index* row;
  TESSERA_HD Offset begin(Index i) const { return offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return offsets[i + 1]; }
  TESSERA_HD void operator()(Index i, Offset k) const { row[k] = i; }
};

template <class T, class Space>
Transposed<T, Space> transpose(Space const& space, CsrView<T> A) {
  auto const nonzeros = A.column.size();
  TESSERA_VALIDATE(nonzeros <= static_cast<std::size_t>(std::numeric_limits<Index>::max()), nonzeros,
                   " entries on one rank to be transposed (local indices have 32 bits); use more ranks");
  Transposed<T, Space> At{
      {A.columns, A.rows, Array<Offset, Space>(space, static_cast<std::size_t>(A.columns) + 1),
       Array<Index, Space>(space, nonzeros), Array<T, Space>(space, nonzeros)},
      {}};
  At.source =
      core::counting_sort(space, nonzeros, core::Load<Index>{A.column.data()}, At.matrix.offsets.span());
  Array<Index, Space> row(space, nonzeros);
  for_each_entry(space, A.rows, nonzeros, RowOfEntryBody{A.offsets.data(), row.data()});
  core::gather(space, At.source.view(), row.view().data(), At.matrix.column.data());
  refresh_transpose(space, A, At);
  return At;
}

template <class T, class Space>
void refresh_transpose(Space const& space, CsrView<T> A, Transposed<T, Space>& At) {
  if (At.matrix.value.empty()) At.matrix.value = Array<T, Space>(space, At.source.size());
  core::gather(space, At.source.view(), A.value.data(), At.matrix.value.data());
}

template Transposed<double, InstanceSpace> transpose(InstanceSpace const&, CsrView<double>);
template void refresh_transpose(InstanceSpace const&, CsrView<double>, Transposed<double, InstanceSpace>&);

}  // namespace Tessera::sparse
