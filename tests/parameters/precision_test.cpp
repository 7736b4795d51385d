// Solvers that support levels in single precision.
#include "parameters/selection.hpp"

#include <gtest/gtest.h>

#include "parameters/parse.hpp"

namespace Tessera::parameters {
namespace {

using Teuchos::ParameterList;

/// The precision of a list with these parameters, with a solver.
Precision chosen(std::string const& solver, ParameterList list = ParameterList(), ParameterList own = {}) {
  choose_precision(list, solver, own);
  return parse(list).precision;
}

TEST(ChoosePrecision, ConjugateGradientsAndFlexibleMethodsKeepFloat) {
  for (auto const* solver :
       {"Pseudo Block CG", "Block CG", "CG", "PSEUDOBLOCKCG", "RCG", "SEED CG", "PCPG", "CGPOLY",
        "Pseudo Block Stochastic CG", "TESSERA CG", "Tessera Flexible CG", "Flexible GMRES"}) {
    EXPECT_EQ(chosen(solver), Precision::single) << solver;
  }
}

TEST(ChoosePrecision, OtherMethodsGetDouble) {
  for (auto const* solver : {"GMRES", "Block GMRES", "Pseudo Block GMRES", "GCRODR", "TFQMR", "BiCGStab",
                             "MINRES", "LSQR", "Fixed Point", "Hybrid Block GMRES", "TPETRA CG PIPELINE"}) {
    EXPECT_EQ(chosen(solver), Precision::full) << solver;
  }
}

TEST(ChoosePrecision, BlockGmresMayBeFlexible) {
  ParameterList own;
  own.set("Flexible Gmres", true);
  EXPECT_EQ(chosen("Block GMRES", {}, own), Precision::single);
  own.set("Flexible Gmres", false);
  EXPECT_EQ(chosen("Block GMRES", {}, own), Precision::full);
}

TEST(ChoosePrecision, APrecisionInTheListStays) {
  ParameterList list;
  list.set("precision: hierarchy", "float");
  EXPECT_EQ(chosen("GMRES", list), Precision::single);
  list.set("precision: hierarchy", "double");
  EXPECT_EQ(chosen("CG", list), Precision::full);
  ParameterList half;
  half.set("half precision", true);
  EXPECT_EQ(chosen("GMRES", half), Precision::single);
}

TEST(ChoosePrecision, DefaultsThatTeuchosWroteDoNotCountAsGiven) {
  ParameterList list, valid;
  valid.set("precision: hierarchy", "float");
  list.validateParametersAndSetDefaults(valid);
  ASSERT_TRUE(list.isParameter("precision: hierarchy"));
  EXPECT_EQ(chosen("GMRES", list), Precision::full);
}

}  // namespace
}  // namespace Tessera::parameters
