#include "belos/residence.hpp"

#include "core/array.hpp"

namespace Tessera::belos {
namespace {

template <class Space>
class ResidenceOn final : public Residence {
 public:
  ResidenceOn(Space const& space, comm::Distribution const& rows) : Residence(rows), space_(space) {}

  char const* backend() const override { return Space::name; }
  Host const* host() const override {
    if constexpr (std::is_same_v<Space, Host>) return &space_;
    return nullptr;
  }
  Cuda const* cuda() const override {
    if constexpr (std::is_same_v<Space, Cuda>) return &space_;
    return nullptr;
  }

  std::shared_ptr<double> allocate(std::size_t columns) const override {
    auto const memory = std::make_shared<Array<double, Space>>(space_, columns * local_rows());
    return {memory, memory->data()};
  }
  void combine(Span<double const> alpha, sparse::ConstColumnList a, Span<double const> beta,
               sparse::ConstColumnList b, sparse::ColumnList y) const override {
    sparse::combine(space_, local_rows(), alpha, a, beta, b, y);
  }
  void multiply_add(double alpha, sparse::ConstColumnList X, double const* B, std::size_t leading,
                    double beta, sparse::ColumnList Y) const override {
    sparse::multiply_add(space_, local_rows(), alpha, X, B, leading, beta, Y);
  }
  void fill(double value, sparse::ColumnList y) const override {
    sparse::fill(space_, local_rows(), value, y);
  }
  void randomise(std::uint64_t seed, sparse::ColumnList y) const override {
    sparse::randomise(space_, local_rows(), rows().begin(), seed, y);
  }
  void download(double const* column, Span<double> target) const override {
    core::copy(space_, Span<double const>(column, local_rows()), Host{}, target);
  }
  void upload(Span<double const> source, double* column) const override {
    core::copy(Host{}, source, space_, Span<double>(column, local_rows()));
    core::synchronize(space_);  // the source may change
  }

 private:
  std::vector<double> local_dots(sparse::ConstColumnList x, sparse::ConstColumnList y) const override {
    return sparse::dots(space_, local_rows(), x, y);
  }
  std::vector<double> local_sums(sparse::ConstColumnList x) const override {
    return sparse::absolute_sums(space_, local_rows(), x);
  }
  std::vector<double> local_maxima(sparse::ConstColumnList x) const override {
    return sparse::absolute_maxima(space_, local_rows(), x);
  }

  Space space_;
};

}  // namespace

std::vector<double> Residence::dots(sparse::ConstColumnList x, sparse::ConstColumnList y) const {
  auto values = local_dots(x, y);
  rows_.comm().sum(values);
  return values;
}

std::vector<double> Residence::absolute_sums(sparse::ConstColumnList x) const {
  auto values = local_sums(x);
  rows_.comm().sum(values);
  return values;
}

std::vector<double> Residence::absolute_maxima(sparse::ConstColumnList x) const {
  auto values = local_maxima(x);
  for (double& value : values) value = rows_.comm().max(value);
  return values;
}

template <class Space>
std::shared_ptr<Residence const> make_residence(Space const& space, comm::Distribution const& rows) {
  return std::make_shared<ResidenceOn<Space>>(space, rows);
}

template std::shared_ptr<Residence const> make_residence(Host const&, comm::Distribution const&);
#if defined(TESSERA_HAVE_CUDA)
template std::shared_ptr<Residence const> make_residence(Cuda const&, comm::Distribution const&);
#endif

}  // namespace Tessera::belos
