#pragma once
/// \file
/// Lists of other libraries in XML, and the status of an entry's translation.
#include <gtest/gtest.h>

#include <algorithm>

#include "parameters/translation.hpp"
#include "parameters/xml.hpp"

namespace Tessera::parameters {

inline Teuchos::ParameterList xml(std::string const& inside) {
  return *parse_xml("<ParameterList name=\"theirs\">" + inside + "</ParameterList>", "theirs");
}
inline std::string parameter(std::string const& name, std::string const& type, std::string const& value) {
  return "<Parameter name=\"" + name + "\" type=\"" + type + "\" value=\"" + value + "\"/>";
}
inline std::string sublist(std::string const& name, std::string const& inside) {
  return "<ParameterList name=\"" + name + "\">" + inside + "</ParameterList>";
}

inline TranslationStatus describe_status(Translation const& translation, std::string const& theirs) {
  auto const& words = translation.entries;
  auto const found =
      std::find_if(words.begin(), words.end(), [&](auto const& one) { return one.theirs == theirs; });
  EXPECT_NE(found, words.end()) << theirs;
  return found == words.end() ? TranslationStatus::no_counterpart : found->status;
}

}  // namespace Tessera::parameters
