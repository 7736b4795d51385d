// From the second solve on, solves and applications allocate no block above 64 KiB. A program of its own,
// because it replaces malloc().
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "core/memory.hpp"
#include "stratimikos/allocations.hpp"

namespace {

constexpr std::size_t large = 65536;
std::atomic<int> large_blocks{0};
std::atomic<std::size_t> largest_block{0};

[[maybe_unused]] std::size_t counted(std::size_t bytes) {
  if (bytes > large) {
    ++large_blocks;
    largest_block = std::max(largest_block.load(), bytes);
  }
  return bytes;
}

}  // namespace

// AddressSanitizer has its own malloc(); there, only Tessera's arrays are counted.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define TESSERA_COUNTS_MALLOC
extern "C" {
void* __libc_malloc(std::size_t bytes) noexcept;
void* __libc_calloc(std::size_t count, std::size_t size) noexcept;
void* __libc_realloc(void* block, std::size_t bytes) noexcept;
void* __libc_memalign(std::size_t alignment, std::size_t bytes) noexcept;

void* malloc(std::size_t bytes) noexcept {
  return __libc_malloc(counted(bytes));
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  counted(count * size);
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t bytes) noexcept {
  return __libc_realloc(block, counted(bytes));
}
void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return __libc_memalign(alignment, counted(bytes));
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return __libc_memalign(alignment, counted(bytes));
}
int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
  *block = __libc_memalign(alignment, counted(bytes));
  return *block == nullptr ? ENOMEM : 0;
}
}
#endif

namespace Tessera::test {
namespace {

TEST(Allocations, AreCounted) {
  large_blocks = 0;
  std::vector<double> const small(large / sizeof(double)), big(large / sizeof(double) + 1);
#if defined(TESSERA_COUNTS_MALLOC)
  EXPECT_EQ(large_blocks, 1);
#endif
  EXPECT_NE(small.data(), big.data());
}

TEST(Allocations, AreNoneFromTheSecondSolveOn) {
  repeat_solves(Host{}, "host", [](std::string const& name, auto const& solve) {
    solve();
    auto const before = core::memory_use(Host{}).in_use;
    core::reset_peak(Host{});
    large_blocks = 0;
    largest_block = 0;
    for (int time = 0; time < 2; ++time) solve();
    int const blocks = large_blocks;
    EXPECT_EQ(blocks, 0) << name << " allocated " << largest_block << " bytes";
    EXPECT_LE(core::memory_use(Host{}).peak - before, large) << name << " allocated arrays";
  });
}

#if defined(TESSERA_COUNTS_MALLOC)
// The figures of the documents, and a proof that vectors of Tpetra are counted.
TEST(Allocations, OfBelosManagersAreSeen) {
  constexpr int points = 300;
  auto const A = laplacian(scattered_map(points * points), points);
  auto const M = Factory::create<CrsMatrix>("SA-AMG", A);
  M->setParameters(arrays_list("host", "double", "sa"));
  M->compute();
  MultiVector const b(*waves(A->getRowMap(), 1), Teuchos::Copy);
  auto const x = rcp(new MultiVector(A->getRowMap(), 1));
  for (std::string const name : {"Pseudo Block CG", "Block GMRES"}) {
    auto const solver =
        Belos::SolverFactory<double, MultiVector, Operator>().create(name, rcp(new Teuchos::ParameterList));
    auto const problem =
        rcp(new Belos::LinearProblem<double, MultiVector, Operator>(A, x, Teuchos::rcpFromRef(b)));
    problem->setRightPrec(M);
    for (int time = 0; time < 2; ++time) {
      x->putScalar(0);
      problem->setProblem();
      solver->setProblem(problem);
      large_blocks = 0;
      EXPECT_EQ(solver->solve(), Belos::Converged);
    }
    if (b.getLocalLength() > 0) {  // the last of several ranks has no rows
      EXPECT_GE(large_blocks, 3) << name;
    }
    RecordProperty(name == "Block GMRES" ? "gmres" : "cg", large_blocks);
    std::cout << name << ": " << large_blocks << " blocks above 64 KiB in its second solve\n";
  }
}
#endif

}  // namespace
}  // namespace Tessera::test
