// Hierarchies that were saved and loaded, in memory.
#include <gtest/gtest.h>

#include <cstring>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "multigrid/coarsenings.hpp"
#include "multigrid/fetched.hpp"
#include "multigrid/levels/bootstrap.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"
#include "support/stored.hpp"

namespace Tessera::multigrid {
namespace {

using Vector = std::vector<double>;

core::Archive writer(std::vector<char>& bytes) {
  return core::Archive::saving([&bytes](void const* memory, std::size_t size) {
    auto const* from = static_cast<char const*>(memory);
    bytes.insert(bytes.end(), from, from + size);
  });
}

core::Archive reader(std::vector<char> const& bytes) {
  auto at = std::make_shared<std::size_t>(0);
  return core::Archive::loading(
      [&bytes, at](void* memory, std::size_t size) {
        std::memcpy(memory, bytes.data() + *at, size);
        *at += size;
      },
      bytes.size());
}

struct Case {
  std::string name;
  sparse::Csr<double, Host> matrix;
  Parameters p;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  auto const add = [&](std::string const& name, sparse::Csr<double, Host> const& matrix, auto const& choose) {
    for (auto const& [rows_per_rank, half] : {std::pair(0, HalfLevels::none),
                                              {300, HalfLevels::none},
                                              {300, HalfLevels::all},
                                              {300, HalfLevels::automatic}}) {
      bool const in_float = half == HalfLevels::none;
      if (rows_per_rank > 0 && in_float && test::world().size() == 1) continue;  // moves rows between ranks
      Case c{name, sparse::copied<double>(Host{}, matrix, Host{}), {}};
      c.p.half = half;
      c.p.half_from = 500;
      c.p.coarse_max_size = 30;
      c.p.rows_per_rank = rows_per_rank;
      choose(c.p);
      all.push_back(std::move(c));
    }
  };
  auto const laplace = oracle::anisotropic_laplace(11, 10, 7, 1.0, 2.0, 3.0);
  for (auto const& way : test::ways_to_coarsen()) add(way.name, laplace, way.choose);
  add("K-cycle", laplace, [](Parameters& p) { p.cycle = CycleType::K; });
  add("W-cycle", laplace, [](Parameters& p) { p.cycle = CycleType::W; });
  add("applications", laplace, [](Parameters& p) { p.applications = 2; });
  add("Jacobi", laplace, [](Parameters& p) { p.smoother.type = SmootherType::jacobi; });
  add("FSAI", laplace, [](Parameters& p) { p.smoother.type = SmootherType::fsai; });
  add("no dense solver", laplace, [](Parameters& p) { p.coarse = CoarseType::smoother; });
  add("one level", laplace, [](Parameters& p) { p.max_levels = 1; });
  add("singular", oracle::neumann_laplace(24, 24), [](Parameters&) {});
  add("beam", oracle::clamped_beam(120), [](Parameters& p) { p.equations = 2; });
  for (auto const& [name, format] : test::formats())
    add(name, laplace, [format = format](Parameters& p) { p.format = format; });
  return all;
}

template <class T>
void expect_alike(Hierarchy<T, Host>& saved, Hierarchy<T, Host>& loaded, comm::Distribution const& rows) {
  test::expect_same_levels(saved.report(), loaded.report());
  EXPECT_EQ(saved.warnings(), loaded.warnings());
  EXPECT_EQ(saved.double_precision_reason(), loaded.double_precision_reason());
  auto const b = oracle::random_vector(rows.local_size(), 3 + rows.begin());
  EXPECT_TRUE(oracle::same_bits(test::precondition(saved, b), test::precondition(loaded, b)));
  test::expect_same_fetched(saved, loaded);
}

template <class T>
void save_and_load(Case const& c) {
  SCOPED_TRACE(c.name);
  auto const rows = test::share(test::world(), c.matrix.rows, false, c.p.equations);
  auto A = test::distribute(c.matrix, rows);
  auto const ids = [&] { return test::node_ids_on(Host{}, rows, c.p.equations); };
  Hierarchy<T, Host> saved(Host{}, A, ids(), {}, c.p);
  for (int saves = 0; saves < 2; ++saves) {
    std::vector<char> bytes;
    auto file = writer(bytes);
    saved.save(A, file);
    auto back = reader(bytes);
    Hierarchy<T, Host> loaded(Host{}, A, ids(), c.p, back);
    EXPECT_EQ(back.bytes_left(), 0u);
    expect_alike(saved, loaded, rows);
    // Refreshes of both, the loaded one's first and its second.
    for (int times = 0; times < 2; ++times) {
      for (auto& a : A.local.value) a *= 1.25;
      saved.refresh(A);
      loaded.refresh(A);
      expect_alike(saved, loaded, rows);
    }
  }
}

TEST(SavedHierarchy, IsBitwiseTheSameAndRefreshesAlike) {
  for (auto const& c : cases()) {
    save_and_load<float>(c);
    if (c.p.half == HalfLevels::none) save_and_load<double>(c);
  }
}

TEST(SavedBootstrap, IsBitwiseTheSameAndRefreshesAlike) {
  auto const matrix = oracle::anisotropic_laplace(30, 30, 1, 1.0, 1e-3, 1.0);
  auto const rows = test::share(test::world(), matrix.rows, false);
  auto A = test::distribute(matrix, rows);
  Parameters p;
  p.coarse_max_size = 30;
  p.bootstrap.components = 3;
  p.aggregation.scheme = aggregation::AggregationScheme::matching;
  Bootstrap<double, Host> saved(Host{}, A, test::node_ids_on(Host{}, rows), {}, p);
  std::vector<char> bytes;
  auto file = writer(bytes);
  saved.save(A, file);
  auto back = reader(bytes);
  Bootstrap<double, Host> loaded(Host{}, A, test::node_ids_on(Host{}, rows), p, back);
  EXPECT_EQ(saved.report().components.size(), loaded.report().components.size());
  auto const b = oracle::random_vector(rows.local_size(), 3 + rows.begin());
  for (int times = 0; times < 3; ++times) {
    test::expect_same_levels(saved.report(), loaded.report());
    EXPECT_TRUE(oracle::same_bits(test::precondition(saved, b), test::precondition(loaded, b)));
    for (auto& a : A.local.value) a *= 1.25;
    saved.refresh(A);
    loaded.refresh(A);
  }
}

// A truncated archive is an error on all ranks, for any length and any rank.
TEST(SavedHierarchy, ThatWasCutIsRefused) {
  Parameters p;
  p.coarse_max_size = 20;
  p.smoother.type = SmootherType::fsai;
  auto const rows = test::share(test::world(), 144, false);
  auto const A = test::distribute(oracle::laplace(12, 12), rows);
  Hierarchy<float, Host> saved(Host{}, A, test::node_ids_on(Host{}, rows), {}, p);
  std::vector<char> bytes;
  auto file = writer(bytes);
  saved.save(A, file);
  auto const& comm = rows.comm();
  int const cut_rank = comm.size() - 1;
  auto const size = comm.max(comm.rank() == cut_rank ? static_cast<GlobalIndex>(bytes.size()) : 0);
  for (GlobalIndex left = 0; left < size; left += comm.size() == 1 ? 5 : 97) {
    auto part = bytes;
    if (comm.rank() == cut_rank) part.resize(static_cast<std::size_t>(left));
    auto back = reader(part);
    EXPECT_THROW((Hierarchy<float, Host>(Host{}, A, test::node_ids_on(Host{}, rows), p, back)),
                 core::InvalidInput)
        << left << " of " << size << " bytes";
  }
}

/// Any bytes in the place of saved ones end in a refusal on all ranks, or in a hierarchy that works.
template <class Operator>
void change_bytes(Parameters const& p, std::uint64_t seed) {
  auto const rows = test::share(test::world(), 144, false);
  auto A = test::distribute(oracle::laplace(12, 12), rows);
  auto const ids = [&] { return test::node_ids_on(Host{}, rows); };
  Operator saved(Host{}, A, ids(), {}, p);
  std::vector<char> bytes;
  auto file = writer(bytes);
  saved.save(A, file);
  auto const& comm = rows.comm();
  int const victim = comm.size() - 1;
  auto const size = comm.max(comm.rank() == victim ? static_cast<GlobalIndex>(bytes.size()) : 0);
  auto const b = oracle::random_vector(rows.local_size(), 3 + rows.begin());
  int refused = 0;
  for (GlobalIndex at = 0; at < size; at += comm.size() == 1 ? 17 : 67) {
    auto changed = bytes;
    auto const random = core::mix64(seed + static_cast<std::uint64_t>(at));
    if (comm.rank() == victim)
      changed[static_cast<std::size_t>(at)] ^= static_cast<char>(random % 4 == 0   ? 0xff
                                                                 : random % 4 == 1 ? 0x80
                                                                                   : 1 << (random >> 8) % 8);
    auto back = reader(changed);
    bool loaded = false;
    try {
      Operator M(Host{}, A, ids(), p, back);
      loaded = true;
      test::precondition(M, b);
      M.refresh(A);
      M.refresh(A);
      test::precondition(M, b);
    } catch (core::InvalidInput const& error) {
      refused += loaded ? 0 : 1;
      std::string const text = error.what();
      bool const says_so = text.find("not what was saved") != std::string::npos ||
                           (loaded && text.find("loaded from another file") != std::string::npos);
      EXPECT_TRUE(says_so) << "byte " << at << ": " << text;
    } catch (core::NumericalError const&) {  // of a refresh: numbers that do not fit
      EXPECT_TRUE(loaded) << "byte " << at;
    }
    EXPECT_FALSE(comm.any(loaded) && comm.any(!loaded)) << "byte " << at;
  }
  EXPECT_GT(refused, 5);
}

TEST(SavedHierarchy, WhoseBytesWereChangedIsRefusedOrWorks) {
  for (auto const& way : test::ways_to_coarsen()) {
    SCOPED_TRACE(way.name);
    Parameters p;
    p.coarse_max_size = 20;
    way.choose(p);
    change_bytes<Hierarchy<float, Host>>(p, 1);
  }
  Parameters p;
  p.coarse_max_size = 20;
  p.smoother.type = SmootherType::fsai;
  p.rows_per_rank = 100;
  change_bytes<Hierarchy<double, Host>>(p, 2);
  p.half_from = 0;
  for (auto const half : {HalfLevels::all, HalfLevels::automatic}) {
    p.half = half;
    change_bytes<Hierarchy<float, Host>>(p, 4);
  }
}

TEST(SavedBootstrap, WhoseBytesWereChangedIsRefusedOrWorks) {
  Parameters p;
  p.coarse_max_size = 20;
  p.bootstrap.components = 2;
  p.bootstrap.convergence_rate = 0.001;
  change_bytes<Bootstrap<double, Host>>(p, 3);
}

}  // namespace
}  // namespace Tessera::multigrid
