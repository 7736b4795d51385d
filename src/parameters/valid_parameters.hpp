#pragma once
/// \file
/// The table as Teuchos validators.
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_StandardParameterEntryValidators.hpp>
#include <ostream>

namespace Tessera::parameters {

/// One of several strings, which stand for integers or the values of an enum.
template <class Integral>
class ChoiceValidator : public Teuchos::StringToIntegralParameterEntryValidator<Integral> {
 public:
  using Teuchos::StringToIntegralParameterEntryValidator<Integral>::StringToIntegralParameterEntryValidator;

  /// Since Trilinos 14 the base class replaces the string in the caller's list by the integer. parse() could
  /// not read such a list.
  void validateAndModify(std::string const& name, std::string const& list,
                         Teuchos::ParameterEntry* entry) const override {
    this->validate(*entry, name, list);
  }
};

/// Every name, also of aliases, with default, documentation and validator, for programs that check or
/// document lists by Teuchos. The entries are marked as defaults, so that parse() ignores entries that
/// validateParametersAndSetDefaults copied.
Teuchos::RCP<Teuchos::ParameterList const> valid_parameters();

/// Tessera's parameters for a terminal, one a paragraph.
void print_reference(std::ostream& out);

/// docs/parameters.md: Tessera's parameters.
void print_markdown(std::ostream& out);

/// docs/translation.md: the parameters of MueLu, ML and Ifpack2.
void print_vocabulary(std::ostream& out);

}  // namespace Tessera::parameters
