#pragma once
/// \file
/// row_reduce for rows in Half.
#include "core/half.hpp"
#include "sparse/engine/row_reduce.hpp"

namespace Tessera::sparse {

/// What a row in Half stands for: the row times half_scale(exponent[i]), whose diagonal entry has the further
/// digits rest[i]. The sum of the row is scaled, which gives the bits of scaled entries, because a power of
/// two rounds nothing. For terms that take the column alone.
struct HalfScales {
  unsigned char const* exponent;
  Half const* rest;  ///< null: none
  template <class Term, class Sum>
  TESSERA_HD Sum operator()(Index i, Term const& term, Sum sum) const {
    if (rest != nullptr) sum += rest[i] * term(i);
    return core::half_scale(exponent[i]) * sum;
  }
};

/// Rows of a matrix in Half.
template <class Rows>
struct ScaledRows {
  Rows stored;
  HalfScales scales;
  Index rows = detail::row_count(stored);
};

template <class Term, class Epilogue>
struct ScaleSum {
  HalfScales scales;
  Term term;
  Epilogue epilogue;
  template <class Sum>
  TESSERA_HD void operator()(Index i, Sum const& sum) const {
    epilogue(i, scales(i, term, sum));
  }
  TESSERA_HD auto loaded() const {
    auto const inner = core::detail::loaded(epilogue, 0);
    return ScaleSum<Term, std::remove_const_t<decltype(inner)>>{scales, term, inner};
  }
};

template <class Space, class Rows>
struct RowWalk<Space, ScaledRows<Rows>> {
  using Walk = RowWalk<Space, Rows>;
  template <class Term, class Epilogue>
  static void run(Space const& space, ScaledRows<Rows> const& A, Term const& term, Epilogue const& epilogue) {
    Walk::run(space, A.stored, term, ScaleSum<Term, Epilogue>{A.scales, term, epilogue});
  }
  template <class Term>
  static auto in_blocks(ScaledRows<Rows> const& A, Term const& term) {
    return Walk::in_blocks(A.stored, term);
  }
  template <class Term, class Epilogue>
  static void range(ScaledRows<Rows> const& A, Term const& term, Epilogue const& epilogue, Index begin,
                    Index end) {
    Walk::range(A.stored, term, ScaleSum<Term, Epilogue>{A.scales, term, epilogue}, begin, end);
  }
#if defined(TESSERA_CUDA_UNIT)
  template <class Term>
  static __device__ auto sum(ScaledRows<Rows> const& A, Index i, Term const& term) {
    return A.scales(i, term, Walk::sum(A.stored, i, term));
  }
#endif
};

}  // namespace Tessera::sparse
