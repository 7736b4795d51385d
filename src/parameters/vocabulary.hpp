#pragma once
/// \file
/// The parameters of other libraries and their translations: MueLu's easy interface, ML, Ifpack2. The
/// translation of lists, their acceptance in Tessera's lists, and docs/translation.md come from this one
/// table.
#include <Teuchos_ParameterList.hpp>
#include <string>
#include <vector>

namespace Tessera::parameters {

enum class Library { muelu, ml, ifpack2 };

enum class TranslationStatus {
  same,           ///< taken as it is
  renamed,        ///< has another name or value in Tessera
  no_effect,      ///< no effect: the result does not depend on it
  no_counterpart  ///< no counterpart: it would give another preconditioner
};

/// The translation of a value.
struct ValueTranslation {
  std::string value;  ///< in the other library, in any case; *: any
  TranslationStatus status;
  std::string ours;  ///< in Tessera; with `no_counterpart` the nearest one; empty: none
  std::string note;  ///< the consequence for the user
  std::string name;  ///< in Tessera, if it is not ForeignParameter::ours
};

/// Parameters of another library with a common translation.
struct ForeignParameter {
  std::vector<std::string> names;
  TranslationStatus status;  ///< of values that are not listed
  std::string ours;          ///< the name in Tessera; empty: the same, or none
  std::string note;
  std::vector<ValueTranslation> values = {};
  Library library = Library::muelu;
};

std::vector<ForeignParameter> const& vocabulary();

std::string const& name_of(Library library);
std::vector<Library> const& libraries();

/// Null if the library has no such parameter. A name of ML is given without " (level N)".
ForeignParameter const* find_foreign(Library library, std::string const& name);

/// All names of a library, for suggestions.
std::vector<std::string> foreign_names(Library library);

/// The translation of an entry. `value` is its own value; `ours` is empty if Tessera has the same value.
ValueTranslation translated_value(ForeignParameter const& parameter, Teuchos::ParameterEntry const& entry);

/// A parameter's value as lists spell it: true, 3, 0.02, sa.
std::string plain(Teuchos::ParameterEntry const& entry);

// The rows.
std::vector<ForeignParameter> muelu_parameters();
std::vector<ForeignParameter> ml_parameters();
std::vector<ForeignParameter> ifpack2_parameters();

/// Shorthand for the rows.
namespace rows {
constexpr auto same = TranslationStatus::same, renamed = TranslationStatus::renamed,
               no_effect = TranslationStatus::no_effect, no_counterpart = TranslationStatus::no_counterpart;

/// Values of a switch whose `off` requests nothing.
inline std::vector<ValueTranslation> off(char const* value) {
  return {{value, no_effect, "", "requests nothing", ""}};
}

}  // namespace rows

}  // namespace Tessera::parameters
