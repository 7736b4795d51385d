#include "parameters/valid_parameters.hpp"

#include <algorithm>

#include "parameters/messages.hpp"
#include "settings/table.hpp"

namespace Tessera::parameters {
namespace {

using Teuchos::ParameterEntryValidator;
using Teuchos::RCP;
using Teuchos::rcp;

/// Accepts int and double, and checks the range, unlike AnyNumberParameterEntryValidator.
class RealValidator : public Teuchos::AnyNumberParameterEntryValidator {
 public:
  explicit RealValidator(Parameter const& row)
      : AnyNumberParameterEntryValidator(PREFER_DOUBLE,
                                         AcceptedTypes(false).allowInt(true).allowDouble(true)),
        row_(row) {}
  void validate(Teuchos::ParameterEntry const& entry, std::string const& name,
                std::string const& list) const override {
    double const value = getDouble(entry, name, list, false);
    require<Teuchos::Exceptions::InvalidParameterValue>(in_range(row_, value), list, " -> \"", name, "\" is ",
                                                        value, ", out of range; allowed is ",
                                                        allowed_values(row_));
  }
  void validateAndModify(std::string const& name, std::string const& list,
                         Teuchos::ParameterEntry* entry) const override {
    validate(*entry, name, list);
    AnyNumberParameterEntryValidator::validateAndModify(name, list, entry);
  }

 private:
  Parameter const& row_;
};

RCP<ParameterEntryValidator const> choice_validator(std::vector<std::string> const& values,
                                                    std::string const& standard) {
  Teuchos::Array<std::string> const strings(values.begin(), values.end());
  return rcp(new ChoiceValidator<int>(strings, standard, false));
}

/// Also accepts true and false of type bool.
class FlagValidator : public ChoiceValidator<int> {
 public:
  using ChoiceValidator<int>::ChoiceValidator;
  void validate(Teuchos::ParameterEntry const& entry, std::string const& name,
                std::string const& list) const override {
    if (!entry.isType<bool>()) ChoiceValidator<int>::validate(entry, name, list);
  }
};

RCP<ParameterEntryValidator const> validator(Parameter const& row) {
  switch (row.kind) {
    case Kind::boolean:
      return rcp(new Teuchos::BoolParameterEntryValidator);
    case Kind::integer: {  // an extra value widens the range here; parse() refuses the values between
      auto const lowest = row.extra_value ? std::min(*row.extra_value, row.lowest) : row.lowest;
      return rcp(
          new Teuchos::EnhancedNumberValidator<int>(static_cast<int>(lowest), static_cast<int>(row.highest)));
    }
    case Kind::real:
      return rcp(new RealValidator(row));
    case Kind::list:
    case Kind::choice:
      break;
  }
  if (row.also_boolean) {
    Teuchos::Array<std::string> const values(row.choices.begin(), row.choices.end());
    return rcp(new FlagValidator(values, row.name, false));
  }
  return choice_validator(row.choices, row.name);
}

void add(Teuchos::ParameterList& list, std::string const& name, Value const& standard,
         std::string const& documentation, RCP<ParameterEntryValidator const> const& check) {
  Teuchos::ParameterEntry entry;
  std::visit([&](auto const& value) { entry.setValue(value, true, documentation, check); }, standard);
  list.setEntry(name, entry);
}

void add_alias(Teuchos::ParameterList& list, Parameter const& row, Alias const& alias) {
  std::string const documentation = "Another name of \"" + row.name + "\".";
  if (alias.values.empty()) {
    add(list, alias.name, row.standard(), documentation, validator(row));
    return;
  }
  std::vector<std::string> values;
  std::string standard = alias.values.front().first;
  for (auto const& pair : alias.values) {
    values.push_back(pair.first);
    if (pair.second == text(row.standard())) standard = pair.first;
  }
  if (values.front() == "true" || values.front() == "false") {
    add(list, alias.name, standard == "true", documentation, rcp(new Teuchos::BoolParameterEntryValidator));
  } else {
    add(list, alias.name, standard, documentation, choice_validator(values, alias.name));
  }
}

RCP<Teuchos::ParameterList const> made() {
  auto list = rcp(new Teuchos::ParameterList("Tessera"));
  for (auto const& sublist : sublists())
    if (sublist.first != level_sublist) list->sublist(sublist.first, false, sublist.second);
  for (int level = 0; level < most_levels; ++level)
    list->sublist("level " + std::to_string(level)).disableRecursiveValidation();
  for (auto const* side : {"smoother: pre params", "smoother: post params"})
    list->sublist(side).disableRecursiveValidation();
  for (auto const& row : table()) {
    for (auto* target : {list.get(), row.sublist.empty() ? nullptr : &list->sublist(row.sublist)}) {
      if (!target) continue;
      if (row.kind == Kind::list) {
        target->sublist(row.name, false, row.documentation).disableRecursiveValidation();
        continue;
      }
      add(*target, row.name, row.standard(), row.documentation, validator(row));
      for (auto const& alias : row.aliases) add_alias(*target, row, alias);
    }
  }
  list->sublist("user data").disableRecursiveValidation();
  list->sublist("VerboseObject").disableRecursiveValidation();
  return list;
}

}  // namespace

RCP<Teuchos::ParameterList const> valid_parameters() {
  static RCP<Teuchos::ParameterList const> const list = made();
  return list;
}

}  // namespace Tessera::parameters
