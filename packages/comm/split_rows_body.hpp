#pragma once
/// \file
/// See split_rows.hpp.
#include <type_traits>

#include "comm/split_rows.hpp"
#include "core/parallel.hpp"
#include "sparse/convert.hpp"
#include "sparse/row_products.hpp"

namespace Tessera::comm {

template <class T, class Space>
template <class X, class Epilogue>
void SplitRows<T, Space>::product(Space const& space, Part const& part, X const& x,
                                  Epilogue const& epilogue) const {
  if (sell_) {
    sparse::for_each_row_product(space, part.sell.view(), x, epilogue);
  } else if (part.rows.all) {
    sparse::for_each_row_product(space, csr_view_, x, epilogue);
  } else {
    sparse::for_each_row_product(space, csr_view_, part.rows.list.view(), x, epilogue);
  }
}

template <class T, class Space>
template <class X, class Epilogue>
void SplitRows<T, Space>::first(Space const& space, X const& x, Epilogue const& epilogue) const {
  product(space, first_, x, epilogue);
}

template <class T, class Space>
template <class X, class Epilogue>
void SplitRows<T, Space>::second(Space const& space, X const& x, Epilogue const& epilogue) const {
  product(space, second_, x, epilogue);
}

}  // namespace Tessera::comm
