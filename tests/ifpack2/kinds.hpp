#pragma once
/// \file
/// The classes that one test is run for.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "Tessera_ClassicalAmg.hpp"
#include "Tessera_Fsai.hpp"
#include "Tessera_MatchingAggregation.hpp"
#include "Tessera_RootNodeAggregation.hpp"
#include "Tessera_SmoothedAggregation.hpp"
#include "Tessera_UnsmoothedAggregation.hpp"
#include "problems.hpp"

namespace Tessera::test {

using Ours = Details::Preconditioner;

/// M^-1 times waves.
inline std::vector<double> applied(Ours const& M) {
  MultiVector Y(M.getRangeMap(), 1);
  M.apply(*waves(M.getDomainMap()), Y);
  return values(Y);
}

struct Kind {
  std::string name;
  RCP<Ours> (*make)(RCP<RowMatrix const> const& A);
  Teuchos::ParameterList parameters, changed;
};

inline void PrintTo(Kind const& kind, std::ostream* out) {
  *out << kind.name;
}

template <class Class>
RCP<Ours> make(RCP<RowMatrix const> const& A) {
  return rcp(new Class(A));
}

/// Parameters of each, and others that make another preconditioner.
inline Kind smoothed_aggregation() {
  Kind kind{"Tessera::SmoothedAggregation", make<SmoothedAggregation<>>, {}, {}};
  kind.parameters.set("coarse: max size", 30);
  kind.changed = kind.parameters;
  kind.changed.set("chebyshev: degree", 3);
  return kind;
}

inline Kind unsmoothed_aggregation() {
  Kind kind{"Tessera::UnsmoothedAggregation", make<UnsmoothedAggregation<>>, {}, {}};
  kind.parameters.set("coarse: max size", 30);
  kind.parameters.set("cycle type", "W");  // linear, as the tests of all kinds want it
  kind.changed = kind.parameters;
  kind.changed.set("aggregation: type", "paa");
  return kind;
}

inline Kind matching_aggregation() {
  Kind kind{"Tessera::MatchingAggregation", make<MatchingAggregation<>>, {}, {}};
  kind.parameters.set("coarse: max size", 30);
  kind.changed = kind.parameters;
  kind.changed.set("matching: steps", 2);
  return kind;
}

inline Kind root_node_aggregation() {
  Kind kind{"Tessera::RootNodeAggregation", make<RootNodeAggregation<>>, {}, {}};
  kind.parameters.set("coarse: max size", 30);
  kind.changed = kind.parameters;
  kind.changed.set("emin: num iterations", 1);
  return kind;
}

inline Kind classical_amg() {
  Kind kind{"Tessera::ClassicalAmg", make<ClassicalAmg<>>, {}, {}};
  kind.parameters.set("coarse: max size", 30);
  kind.changed = kind.parameters;
  kind.changed.set("classical: max row entries", 1);
  return kind;
}

inline Kind bootstrap() {
  auto kind = matching_aggregation();
  kind.parameters.set("bootstrap: components", 2);
  kind.changed = kind.parameters;
  kind.changed.set("bootstrap: components", 3);
  return kind;
}

inline Kind fsai() {
  Kind kind{"Tessera::Fsai", make<Fsai<>>, {}, {}};
  kind.parameters.set("fsai: pattern level", 2);
  kind.changed = kind.parameters;
  kind.changed.set("fsai: pattern level", 1);
  return kind;
}

/// Name of a kind that a test's name may hold.
inline std::string kind_name(testing::TestParamInfo<Kind> const& info) {
  auto const& kind = info.param;
  auto const name = kind.name.substr(kind.name.rfind(':') + 1);
  return kind.parameters.isParameter("bootstrap: components") ? name + "WithBootstrap" : name;
}

}  // namespace Tessera::test

/// All kinds for a suite of TEST_P.
#define TESSERA_ALL_KINDS(suite)                                                                          \
  INSTANTIATE_TEST_SUITE_P(                                                                               \
      All, suite,                                                                                         \
      testing::Values(::Tessera::test::smoothed_aggregation(), ::Tessera::test::unsmoothed_aggregation(), \
                      ::Tessera::test::matching_aggregation(), ::Tessera::test::root_node_aggregation(),  \
                      ::Tessera::test::classical_amg(), ::Tessera::test::bootstrap(),                     \
                      ::Tessera::test::fsai()),                                                           \
      ::Tessera::test::kind_name)
