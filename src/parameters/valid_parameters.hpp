#pragma once
/// \file
/// The table as Teuchos validators.
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_StandardParameterEntryValidators.hpp>

namespace Tessera::parameters {

/// One of several strings, which stand for integers or for an enum's values.
template <class Integral>
class ChoiceValidator : public Teuchos::StringToIntegralParameterEntryValidator<Integral> {
 public:
  using Teuchos::StringToIntegralParameterEntryValidator<Integral>::StringToIntegralParameterEntryValidator;

  /// Since Trilinos 14 the base class writes the integer over the string in the caller's list, which then is
  /// no list of ours any more.
  void validateAndModify(std::string const& name, std::string const& list,
                         Teuchos::ParameterEntry* entry) const override {
    this->validate(*entry, name, list);
  }
};

/// Every name (aliases too) with default, documentation and validator, for programs that check or document
/// lists with Teuchos' own means. The entries are marked as defaults, so that parse() ignores those which
/// validateParametersAndSetDefaults copied.
Teuchos::RCP<Teuchos::ParameterList const> valid_parameters();

}  // namespace Tessera::parameters
