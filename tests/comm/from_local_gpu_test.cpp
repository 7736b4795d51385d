// Matrices from arrays in GPU memory, compared bitwise with matrices from host arrays.
#include <gtest/gtest.h>

#include <cmath>

#include "core/array.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "from_local_cases.hpp"
#include "support/device.hpp"

namespace Tessera {
namespace {

using test::Share;

/// OwnRows in the memory of a GPU.
template <class Position>
struct DeviceRows {
  Array<Position, Cuda> offsets;
  Array<Index, Cuda> column;
  Array<double, Cuda> value;
  std::vector<GlobalIndex> ghost_columns;

  DeviceRows(Cuda const& device, test::OwnRows<Position> const& rows)
      : offsets(core::to_space(device, rows.offsets)),
        column(core::to_space(device, rows.column)),
        value(core::to_space(device, rows.value)),
        ghost_columns(rows.ghost_columns) {
    core::synchronize(device);
  }
  comm::LocalRows<Position> local_rows() const {
    return {offsets.view(), column.view(), value.view(), ghost_columns};
  }
};

template <class Position>
void expect_the_hosts_matrix(Cuda const& device, Share share, bool reversed) {
  auto const A = test::square_case(share);
  DeviceRows<Position> const rows(device, test::own_rows<Position>(A, reversed));
  auto const made = comm::from_local(device, A.rows, rows.local_rows());
  EXPECT_EQ(made.halo.ghosts(), A.halo.ghosts());
  EXPECT_EQ(made.local.columns, A.local.columns);
  EXPECT_EQ(core::to_vector(device, made.local.offsets.view()),
            core::to_vector(Host{}, A.local.offsets.view()));
  EXPECT_EQ(core::to_vector(device, made.local.column.view()),
            core::to_vector(Host{}, A.local.column.view()));
  EXPECT_EQ(made.local.value.data(), rows.value.data()) << "values are not copied";
}

TEST(FromLocalGpu, IsTheHostsMatrix) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const share : test::all_shares) {
    for (bool const reversed : {false, true}) {
      expect_the_hosts_matrix<std::int32_t>(device, share, reversed);
      expect_the_hosts_matrix<Offset>(device, share, reversed);
    }
  }
}

TEST(FromLocalGpu, NoEntryCrossesTheBusAndAllMemoryIsReleased) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  comm::Distribution const rows(test::world(), 100000);
  test::OwnRows<std::int32_t> own;
  own.offsets.resize(100001);
  std::iota(own.offsets.begin(), own.offsets.end(), 0);
  own.column.resize(100000);
  std::iota(own.column.begin(), own.column.end(), 0);
  own.value.assign(100000, 2.0);
  DeviceRows<std::int32_t> const on_device(device, own);
  auto const in_use = core::memory_use(device).in_use;
  auto const before = core::transferred_bytes();
  { auto const A = comm::from_local(device, rows, on_device.local_rows()); }
  auto const moved = core::transferred_bytes() - before;
  EXPECT_LT(moved.to_device + moved.to_host, 1000u);
  EXPECT_EQ(core::memory_use(device).in_use, in_use);
}

template <class Spoil>
void expect_error(Cuda const& device, Spoil const& spoil, std::string const& text) {
  auto const A = test::square_case(Share::equal);
  auto own = test::own_rows<Offset>(A, false);
  if (A.rows.comm().rank() + 1 == A.rows.comm().size()) spoil(own);
  DeviceRows<Offset> const rows(device, own);
  try {
    comm::from_local(device, A.rows, rows.local_rows());
    ADD_FAILURE() << "not refused: " << text;
  } catch (core::InvalidInput const& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
  EXPECT_EQ(core::to_vector(device, rows.column.view()), own.column);
}

TEST(FromLocalGpu, ErrorsAreFoundOnTheDevice) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  using Rows = test::OwnRows<Offset>;
  auto const device = test::device_of_rank();
  expect_error(
      device, [](Rows& r) { r.offsets[2] = r.offsets[1] - 1; }, "do not descend");
  expect_error(
      device, [](Rows& r) { r.offsets[3] = Offset{1} << 40; }, "has offsets");
  expect_error(
      device, [](Rows& r) { r.column[2] = -1; }, "local column -1");
  expect_error(
      device, [](Rows& r) { r.value[1] = std::nan(""); }, "is not finite");
}

TEST(FromLocalGpu, ArraysOfTheOtherMemoryAreRefused) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const A = test::square_case(Share::equal);
  auto const own = test::own_rows<Offset>(A, false);
  DeviceRows<Offset> const rows(device, own);
  auto mixed = rows.local_rows();
  mixed.value = test::local_rows(own).value;
  EXPECT_THROW(comm::from_local(device, A.rows, mixed), core::InvalidInput);
  EXPECT_THROW(comm::from_local(Host{}, A.rows, rows.local_rows()), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera
