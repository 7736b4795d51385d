#include "sparse/columns.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/hash.hpp"
#include "core/parallel.hpp"

namespace Tessera::sparse {

template <int width>
struct CombineBody {
  static constexpr int loop_steps = width;
  double const* a[width];
  double const* b[width];
  double* y[width];
  double alpha[width], beta[width];
  TESSERA_HD void operator()(Index i) const {
    double result[width];  // of the whole row first, since y may be a or b with the columns in another order
    for (int j = 0; j < width; ++j) {
      double const first = alpha[j] == 0 ? 0 : alpha[j] * a[j][i];
      result[j] = beta[j] == 0 ? first : first + beta[j] * b[j][i];
    }
    for (int j = 0; j < width; ++j) y[j][i] = result[j];
  }
};

/// Most columns of X in one pass.
constexpr std::size_t most_factors = 16;

template <int width>
struct MultiplyAddBody {
  int factors;
  double const* x[most_factors];
  double B[width][most_factors];  ///< times alpha
  double beta;
  double* y[width];
  TESSERA_HD void operator()(Index i) const {
    double result[width];
    for (int j = 0; j < width; ++j) result[j] = beta == 0 ? 0 : beta * y[j][i];
    for (int k = 0; k < factors; ++k) {
      double const value = x[k][i];
      for (int j = 0; j < width; ++j) result[j] += value * B[j][k];
    }
    for (int j = 0; j < width; ++j) y[j][i] = result[j];
  }
};

template <int width>
struct Sums {
  double value[width];
};

struct AddSums {
  template <int width>
  TESSERA_HD Sums<width> operator()(Sums<width> const& a, Sums<width> const& b) const {
    Sums<width> sum;
    for (int j = 0; j < width; ++j) sum.value[j] = a.value[j] + b.value[j];
    return sum;
  }
};

template <int width>
struct DotsBody {
  static constexpr int loop_steps = width;
  double const* x[width];
  double const* y[width];
  TESSERA_HD Sums<width> operator()(Index i) const {
    Sums<width> products;
    for (int j = 0; j < width; ++j) products.value[j] = x[j][i] * y[j][i];
    return products;
  }
};

struct AbsoluteValue {
  static constexpr int loop_steps = 1;
  double const* x;
  TESSERA_HD double operator()(Index i) const { return fabs(x[i]); }
};

struct SignedValue {
  static constexpr int loop_steps = 1;
  double const* x;
  double sign;
  TESSERA_HD double operator()(Index i) const { return sign * x[i]; }
};

struct RandomiseBody {
  GlobalIndex first;
  std::uint64_t seed;
  double* y;
  TESSERA_HD void operator()(Index i) const { y[i] = core::uniform(first + i, seed); }
};

/// Calls work(first, width) for blocks that cover `count` columns; width is a std::integral_constant of at
/// most `most`.
template <int most, class Work>
void in_column_blocks(std::size_t count, Work const& work) {
  std::size_t first = 0;
  for (; count - first >= most; first += most) work(first, std::integral_constant<int, most>{});
  if constexpr (most > 1) {
    in_column_blocks<most / 2>(count - first,
                               [&](std::size_t from, auto width) { work(first + from, width); });
  }
}

template <class Space>
void combine(Space const& space, std::size_t rows, Span<double const> alpha, ConstColumnList a,
             Span<double const> beta, ConstColumnList b, ColumnList y) {
  in_column_blocks<8>(y.size(), [&](std::size_t first, auto width) {
    CombineBody<width> body;
    for (int j = 0; j < width; ++j) {
      body.a[j] = a[first + j];
      body.b[j] = b[first + j];
      body.y[j] = y[first + j];
      body.alpha[j] = alpha[first + j];
      body.beta[j] = beta[first + j];
    }
    core::for_each(space, rows, body);
  });
}

template <class Space>
void multiply_add(Space const& space, std::size_t rows, double alpha, ConstColumnList X, double const* B,
                  std::size_t leading, double beta, ColumnList Y) {
  in_column_blocks<4>(Y.size(), [&](std::size_t first, auto width) {
    std::size_t from = 0;
    do {  // also without X, because beta scales Y
      MultiplyAddBody<width> body;
      auto const factors = std::min(most_factors, X.size() - from);
      body.factors = static_cast<int>(factors);
      for (std::size_t k = 0; k < factors; ++k) {
        body.x[k] = X[from + k];
        for (int j = 0; j < width; ++j) body.B[j][k] = alpha * B[(first + j) * leading + from + k];
      }
      body.beta = from == 0 ? beta : 1;
      for (int j = 0; j < width; ++j) body.y[j] = Y[first + j];
      core::for_each(space, rows, body);
      from += factors;
    } while (from < X.size());
  });
}

template <class Space>
std::vector<double> dots(Space const& space, std::size_t rows, ConstColumnList x, ConstColumnList y) {
  std::vector<double> result(x.size());
  in_column_blocks<8>(x.size(), [&](std::size_t first, auto width) {
    DotsBody<width> body;
    for (int j = 0; j < width; ++j) {
      body.x[j] = x[first + j];
      body.y[j] = y[first + j];
    }
    auto const sums = core::reduce(space, rows, body, AddSums{}, Sums<width>{});
    std::copy(sums.value, sums.value + width, &result[first]);
  });
  return result;
}

template <class Space>
std::vector<double> absolute_sums(Space const& space, std::size_t rows, ConstColumnList x) {
  std::vector<double> result;
  for (auto const* column : x) result.push_back(core::sum(space, rows, AbsoluteValue{column}));
  return result;
}

template <class Space>
std::vector<std::pair<double, double>> extremes(Space const& space, std::size_t rows, ConstColumnList x) {
  std::vector<std::pair<double, double>> result;
  for (auto const* column : x) {
    auto const largest = [&](double sign) {
      return core::reduce(space, rows, SignedValue{column, sign}, core::Max{}, -HUGE_VAL);
    };
    result.emplace_back(-largest(-1), largest(1));
  }
  return result;
}

template <class Space>
void fill(Space const& space, std::size_t rows, double value, ColumnList y) {
  for (double* column : y) core::fill(space, Span<double>(column, rows), value);
}

template <class Space>
void randomise(Space const& space, std::size_t rows, GlobalIndex first, std::uint64_t seed, ColumnList y) {
  for (std::size_t j = 0; j < y.size(); ++j) {
    core::for_each(space, rows, RandomiseBody{first, seed + j, y[j]});
  }
}

template void combine(InstanceSpace const&, std::size_t, Span<double const>, ConstColumnList,
                      Span<double const>, ConstColumnList, ColumnList);
template void multiply_add(InstanceSpace const&, std::size_t, double, ConstColumnList, double const*,
                           std::size_t, double, ColumnList);
template std::vector<double> dots(InstanceSpace const&, std::size_t, ConstColumnList, ConstColumnList);
template std::vector<double> absolute_sums(InstanceSpace const&, std::size_t, ConstColumnList);
template std::vector<std::pair<double, double>> extremes(InstanceSpace const&, std::size_t, ConstColumnList);
template void fill(InstanceSpace const&, std::size_t, double, ColumnList);
template void randomise(InstanceSpace const&, std::size_t, GlobalIndex, std::uint64_t, ColumnList);

}  // namespace Tessera::sparse
