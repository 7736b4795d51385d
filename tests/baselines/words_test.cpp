// The vocabulary has every parameter name of the libraries in this build.
#include <gtest/gtest.h>

#include <Ifpack2_Parameters.hpp>
#include <memory>
#if defined(TESSERA_HAVE_ML)
#include <ml_ValidateParameters.h>
#endif
#if defined(TESSERA_HAVE_MUELU)
#include <MueLu_MasterList.hpp>
#endif

#include "parameters/vocabulary.hpp"

namespace Tessera::parameters {
namespace {

void expect_all(Teuchos::ParameterList const& list, Library library) {
  EXPECT_GT(list.numParams(), 50);
  for (auto const& entry : list) {
    auto const name = entry.first.substr(0, entry.first.find(" (level"));
    EXPECT_NE(find_foreign(library, name), nullptr) << name_of(library) << ": " << entry.first;
  }
}

#if defined(TESSERA_HAVE_MUELU)
TEST(Words, OfMueLusMasterListAreAllKnown) {
  expect_all(*MueLu::MasterList::List(), Library::muelu);
}
#endif

#if defined(TESSERA_HAVE_ML)
TEST(Words, OfMlsValidListAreAllKnown) {
  std::unique_ptr<Teuchos::ParameterList> const list(ML_Epetra::GetValidMLPParameters());
  expect_all(*list, Library::ml);
}
#endif

TEST(Words, OfIfpack2sValidListAreAllKnown) {
  Teuchos::ParameterList list;
  Ifpack2::getValidParameters(list);
  expect_all(list, Library::ifpack2);
}

}  // namespace
}  // namespace Tessera::parameters
