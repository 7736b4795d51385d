#pragma once
/// \file
/// What the rows of vocabulary_*.cpp are written with.
#include "parameters/vocabulary.hpp"

namespace Tessera::parameters {

constexpr auto same = TranslationStatus::same, renamed = TranslationStatus::renamed,
               idle = TranslationStatus::idle, absent = TranslationStatus::absent;

/// Values of a switch whose `off` requests nothing.
inline std::vector<Meaning> off(char const* value) {
  return {{value, idle, "", "requests nothing", ""}};
}

}  // namespace Tessera::parameters
