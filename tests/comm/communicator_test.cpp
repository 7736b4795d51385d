#include "comm/communicator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>

#include "cases.hpp"
#include "core/error.hpp"

namespace Tessera {
namespace {

using comm::agree_on_errors;
using comm::Communicator;

TEST(Communicator, TheDefaultIsThisRankAlone) {
  Communicator const self;
  EXPECT_EQ(self.rank(), 0);
  EXPECT_EQ(self.size(), 1);
  EXPECT_EQ(self.sum(2.5), 2.5);
  EXPECT_EQ(self.all_gather(GlobalIndex{7}), std::vector<GlobalIndex>{7});
  comm::PackedBuffers const buffers{{0, {'a'}}};
  EXPECT_EQ(self.exchange(buffers), buffers);
}

// No call site checks MPI's return codes.
TEST(Communicator, AnErrorOfMpiEndsTheJobWhateverTheCallersCommunicatorDoes) {
  MPI_Comm callers = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &callers);
  MPI_Comm_set_errhandler(callers, MPI_ERRORS_RETURN);
  Communicator const ours(callers);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(ours.raw(), &handler);
  EXPECT_EQ(handler, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&callers);
}

TEST(Communicator, ReductionsCoverEveryRank) {
  auto const comm = test::world();
  auto const r = comm.rank();
  auto const p = comm.size();
  EXPECT_EQ(comm.sum(GlobalIndex{r + 1}), p * (p + 1) / 2);
  EXPECT_EQ(comm.sum(r + 0.5), p * p / 2.0);
  EXPECT_EQ(comm.max(GlobalIndex{r}), p - 1);
  EXPECT_EQ(comm.min(GlobalIndex{r - 3}), -3);
  EXPECT_EQ(comm.max(-1.0 * r), 0.0);
  EXPECT_TRUE(comm.any(r == p - 1));
  EXPECT_FALSE(comm.any(false));
  std::vector<double> values{1.0, 1.0 * r};
  comm.sum(values);
  EXPECT_EQ(values, (std::vector<double>{1.0 * p, p * (p - 1) / 2.0}));
}

TEST(Communicator, AMaximumMayBePendingDuringOtherReductions) {
  auto const comm = test::world();
  double const r = comm.rank(), p = comm.size();
  comm::PendingMax pending(comm, {r, -r, 3.5}), another(comm, {2 * r});
  EXPECT_EQ(comm.max(r), p - 1);
  EXPECT_EQ(another.get(), std::vector<double>{2 * (p - 1)});
  EXPECT_EQ(pending.get(), (std::vector<double>{p - 1, 0.0, 3.5}));
  EXPECT_EQ(pending.get().front(), p - 1) << "asked twice";
  comm::PendingMax const never_asked(comm, {r});
}

TEST(Communicator, SumsRunInRankOrder) {
  auto const comm = test::world();
  double expected = 0;
  for (int r = 0; r < comm.size(); ++r) expected += core::uniform(r, 1) * (r % 2 ? 1e16 : 1);
  EXPECT_EQ(comm.sum(core::uniform(comm.rank(), 1) * (comm.rank() % 2 ? 1e16 : 1)), expected);
}

TEST(Communicator, GathersAreInRankOrderForAnyLengths) {
  auto const comm = test::world();
  std::vector<double> const mine(comm.rank() % 3, comm.rank());
  std::vector<double> expected;
  for (int r = 0; r < comm.size(); ++r) expected.insert(expected.end(), r % 3, r);
  EXPECT_EQ(comm.all_gather(mine), expected);
}

TEST(Communicator, PackedBuffersReachTheirReceivers) {
  // Rank r writes r + 1 bytes to the next rank and, when it is even, one byte to itself.
  auto const comm = test::world();
  int const r = comm.rank(), p = comm.size();
  if (p == 1) GTEST_SKIP() << "needs two ranks";
  comm::PackedBuffers out{{(r + 1) % p, std::vector<char>(r + 1, static_cast<char>(r))}};
  if (r % 2 == 0) out[r] = {'x'};
  int const from = (r + p - 1) % p;
  comm::PackedBuffers expected{{from, std::vector<char>(from + 1, static_cast<char>(from))}};
  if (r % 2 == 0) expected[r] = {'x'};
  EXPECT_EQ(comm.exchange(out), expected);
  EXPECT_EQ(comm.exchange({}), comm::PackedBuffers{});
}

TEST(Communicator, EveryRankGetsItsNumberFromEachRank) {
  auto const comm = test::world();
  std::vector<GlobalIndex> mine, expected;
  for (int r = 0; r < comm.size(); ++r) {
    mine.push_back(100 * comm.rank() + r);
    expected.push_back(100 * r + comm.rank());
  }
  EXPECT_EQ(comm.all_to_all(mine), expected);
}

TEST(ErrorAgreement, NoRankThrowsIfNoRankFails) {
  int done = 0;
  EXPECT_NO_THROW(agree_on_errors(test::world(), [&] { ++done; }));
  EXPECT_EQ(done, 1);
}

template <class Error, class Thrown>
void expect_everywhere(int failing, Thrown const& thrown) {
  auto const comm = test::world();
  try {
    agree_on_errors(comm, [&] {
      if (comm.rank() == failing) throw thrown;
    });
    ADD_FAILURE() << "rank " << comm.rank() << " did not throw";
  } catch (Error const& error) {
    EXPECT_STREQ(error.what(), thrown.what());
  } catch (...) {
    ADD_FAILURE() << "rank " << comm.rank() << " threw another kind";
  }
}

TEST(ErrorAgreement, EveryTypeReachesEveryRankWithItsText) {
  for (int failing = 0; failing < test::world().size(); ++failing) {
    expect_everywhere<core::InvalidInput>(failing, core::InvalidInput("bad input"));
    expect_everywhere<core::NumericalError>(failing, core::NumericalError("row 3 has a zero diagonal"));
    expect_everywhere<core::Unavailable>(failing, core::Unavailable("no CUDA"));
    expect_everywhere<core::OutOfMemory>(failing, core::OutOfMemory("host", 10, 20, 30));
    expect_everywhere<std::runtime_error>(failing, std::runtime_error(""));
  }
}

/// Ranks that know of a failure by another message than an agreement's. Outside of agree_on_errors(), and
/// within it, where the failed rank leaves the work before the others receive its error.
void expect_error_of_last_rank(std::function<void(std::function<void()> const&)> const& communicate) {
  auto const comm = test::world();
  auto const failing = [&] {
    communicate([&] {
      if (comm.rank() == comm.size() - 1) throw core::Unavailable("no such file");
    });
  };
  for (bool const within : {false, true}) {
    try {
      if (within) agree_on_errors(comm, failing);
      if (!within) failing();
      ADD_FAILURE() << "rank " << comm.rank() << " did not throw";
    } catch (core::Unavailable const& error) {
      EXPECT_STREQ(error.what(), "no such file");
    }
    EXPECT_EQ(comm.sum(1.0), comm.size());
  }
}

TEST(ErrorAgreement, CountsOfAnAllToAllTellOfAFailure) {
  auto const comm = test::world();
  auto const* const counts = comm.all_to_all_of([&](GlobalIndex* to) { to[0] = comm.rank() + 1; });
  for (int r = 0; r < comm.size(); ++r) EXPECT_EQ(counts[r], comm.rank() == 0 ? r + 1 : 0);
  expect_error_of_last_rank([&](auto const& work) {
    comm.all_to_all_of([&](GlobalIndex* to) {
      to[0] = 1;
      work();
    });
  });
}

TEST(ErrorAgreement, APendingAnswerTellsOfAFailure) {
  auto const comm = test::world();
  comm::PendingAny pending(comm);
  for (int asked = 0; asked <= comm.size(); ++asked) {
    pending.start(comm.rank() == asked, nullptr);
    EXPECT_EQ(comm.sum(1.0), comm.size()) << "while the answer is pending";
    EXPECT_EQ(pending.get(), asked < comm.size());
  }
  expect_error_of_last_rank([&](auto const& work) {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    pending.start(false, failure);
    pending.get();
  });
}

TEST(ErrorAgreement, OutOfMemoryKeepsItsFigures) {
  auto const comm = test::world();
  try {
    agree_on_errors(comm, [&] {
      if (comm.rank() == 0) throw core::OutOfMemory("host", 10, 20, 30);
    });
    ADD_FAILURE();
  } catch (core::OutOfMemory const& error) {
    EXPECT_EQ(error.bytes(), 10u);
    EXPECT_EQ(error.in_use(), 20u);
    EXPECT_EQ(error.peak(), 30u);
  }
}

TEST(ErrorAgreement, SoundRanksThrowTheErrorOfTheLowestFailedRank) {
  auto const comm = test::world();
  if (comm.size() < 3) GTEST_SKIP() << "needs three ranks";
  try {
    agree_on_errors(comm, [&] {
      if (comm.rank() > 0) throw core::InvalidInput("rank " + std::to_string(comm.rank()));
    });
    ADD_FAILURE();
  } catch (core::InvalidInput const& error) {
    EXPECT_EQ(std::string(error.what()), "rank " + std::to_string(std::max(comm.rank(), 1)));
  }
}

/// All functions that wait for other ranks.
std::vector<std::function<void(comm::Communicator const&)>> waiting_functions() {
  return {[](auto const& comm) { comm.sum(1.0); },
          [](auto const& comm) { comm.max(1.0); },
          [](auto const& comm) { comm.sum(GlobalIndex{1}); },
          [](auto const& comm) { comm.any(false); },
          [](auto const& comm) {
            std::vector<double> values(3, 1.0);
            comm.sum(values);
          },
          [](auto const& comm) { comm.all_gather(GlobalIndex{1}); },
          [](auto const& comm) { comm.all_gather(std::vector<double>(2, 1.0)); },
          [](auto const& comm) {
            comm.exchange({{(comm.rank() + 1) % comm.size(), {'a'}}});
          },
          [](auto const& comm) {
            agree_on_errors(comm, [] {});
            comm.agree();
          }};
}

TEST(ErrorAgreement, NoRankWaitsForAFailedRank) {
  auto const comm = test::world();
  for (auto const& wait : waiting_functions()) {
    for (int failing = 0; failing < comm.size(); ++failing) {
      for (int after = 0; after < 2; ++after) {
        int waits = 0;
        EXPECT_THROW(agree_on_errors(comm,
                                     [&] {
                                       for (; waits < 3; ++waits) {
                                         if (comm.rank() == failing && waits == after)
                                           throw core::NumericalError("no");
                                         wait(comm);
                                       }
                                     }),
                     core::NumericalError);
        EXPECT_EQ(waits, after);
        EXPECT_EQ(comm.sum(GlobalIndex{1}), comm.size());  // no message is left in flight
      }
    }
  }
}

TEST(ErrorAgreement, TheOutermostScopeReportsTheFinalMessage) {
  auto const comm = test::world();
  auto const renamed = [&](auto const& work) {
    try {
      work();
    } catch (core::NumericalError const& error) {
      throw core::NumericalError(std::string("level 2: ") + error.what());
    }
  };
  try {
    agree_on_errors(comm, [&] {
      renamed([&] {
        agree_on_errors(comm, [&] {
          if (comm.rank() == 0) throw core::NumericalError("no");
        });
        comm.sum(1.0);
      });
    });
    ADD_FAILURE();
  } catch (core::NumericalError const& error) {
    EXPECT_STREQ(error.what(), "level 2: no");
  }
}

TEST(ErrorAgreement, ACaughtFailureIsThrownIfOtherRanksKnowIt) {
  auto const comm = test::world();
  if (comm.size() == 1) GTEST_SKIP() << "needs two ranks";
  EXPECT_THROW(agree_on_errors(comm,
                               [&] {
                                 if (comm.rank() == 0) throw core::NumericalError("no");
                                 try {
                                   comm.sum(1.0);
                                 } catch (core::NumericalError const&) {
                                 }
                               }),
               core::NumericalError);
}

TEST(ErrorAgreement, AThrownIntBecomesARuntimeErrorOnOtherRanks) {
  auto const comm = test::world();
  if (comm.rank() == comm.size() - 1) {
    EXPECT_THROW(agree_on_errors(comm, [] { throw 42; }), int);
  } else {
    EXPECT_THROW(agree_on_errors(comm, [] {}), std::runtime_error);
  }
}

}  // namespace
}  // namespace Tessera
