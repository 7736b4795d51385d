#include "parameters/messages.hpp"

#include <gtest/gtest.h>

#include <Teuchos_ParameterList.hpp>

namespace Tessera::parameters {
namespace {

TEST(PlainText, IsTheMessageWithoutPlaceNumberAndCondition) {
  try {
    TEUCHOS_TEST_FOR_EXCEPTION(1 + 1 == 2, std::logic_error, "No.\n\nNever: 7:\n");
  } catch (std::logic_error const& error) {
    EXPECT_EQ(plain_text(error.what()), "No.\nNever: 7:");
  }
}

TEST(PlainText, LeavesOutTheTableOfValidParameters) {
  Teuchos::ParameterList valid, list("mine");
  valid.set("degree", 2);
  valid.sublist("inner").set("sweeps", 1);
  list.set("degre", 3);
  try {
    list.validateParameters(valid);
    FAIL() << "nothing was thrown";
  } catch (std::logic_error const& error) {
    auto const text = plain_text(error.what());
    EXPECT_NE(text.find("\"degre\""), std::string::npos) << text;
    EXPECT_NE(text.find("\"mine\""), std::string::npos) << text;
    for (auto noise : {"Throw", ".cpp:", "sweeps", "\"degree\"", "{\n"})
      EXPECT_EQ(text.find(noise), std::string::npos) << text;
  }
}

TEST(PlainText, LeavesOtherTextsUnchanged) {
  for (auto text : {"A.mtx:3: is not a number", "", "level 2:\n  row 7"}) EXPECT_EQ(plain_text(text), text);
}

}  // namespace
}  // namespace Tessera::parameters
