#include "parameters/translator.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/reading.hpp"
#include "settings/settings.hpp"

namespace Tessera::parameters {
namespace {

/// The largest coarsest level for the dense solver.
constexpr int largest_dense = 2000;

/// The largest degree of Chebyshev polynomials with tabulated optimal weights.
constexpr int largest_optimal = 8;

/// Methods with at most so many levels have a coarsest problem of any size.
constexpr int few_levels = 3;

std::string name_and_value(Parameter const& row, Value const& value) {
  return row.name + " = " + text(value);
}

std::vector<std::string> values_of(ForeignParameter const& foreign) {
  std::vector<std::string> all;
  for (auto const& one : foreign.values) all.push_back(one.value);
  return all;
}

}  // namespace

void Translator::record(Place const& place, std::string const& name, TranslationStatus status,
                        std::string const& ours, std::string const& note) {
  entries_.push_back({place.path + name + " = " + plain(place.list.getEntry(name)), status, ours, note});
}

void Translator::unknown(Library library, std::string const& name, Place const& place) {
  problems_.push_back(where(place.list, name) + " is an unknown parameter of " + name_of(library) +
                      hint(name, foreign_names(library)));
}

void Translator::set_value(std::string const& ours, std::string const& value, Values& values) const {
  Parameter const& row = *names().at(ours).row;
  std::string problem;
  values[&row] = *converted(row, nullptr, entry_of(row, value), problem);
}

void Translator::translate_entry(Library library, std::string const& name, Place const& place) {
  auto const* const known = find_foreign(library, name);
  if (known == nullptr) return unknown(library, name, place);
  translate_as(*known, name, place);
}

void Translator::translate_as(ForeignParameter const& foreign, std::string const& name, Place const& place) {
  auto const& entry = place.list.getEntry(name);
  auto const found = translated_value(foreign, entry);
  if (found.status == TranslationStatus::no_effect ||
      (found.status == TranslationStatus::no_counterpart && found.ours.empty()))
    return record(place, name, found.status, "", found.note);
  // Names of ML may end in a level.
  auto const plain_name = name.substr(0, name.find(" (level "));
  auto const ours = names().find(found.name.empty() ? plain_name : found.name);
  if (ours == names().end()) {
    problems_.push_back(where(place.list, name) + " is a sublist in lists of " + name_of(foreign.library));
    return;
  }
  auto const& [row, alias] = ours->second;
  std::string problem;
  auto const value = found.ours.empty() ? converted(*row, alias, entry, problem)
                                        : converted(*row, nullptr, entry_of(*row, found.ours), problem);
  if (!value && (row->kind == Kind::choice || problem.find("out of range") == std::string::npos)) {
    auto const own = values_of(foreign);
    problems_.push_back(
        where(place.list, name) + " " + problem +
        (own.empty() ? "" : " and those of " + name_of(foreign.library) + hint(plain(entry), own)));
    return;
  }
  if (!value)
    return record(place, name, TranslationStatus::no_counterpart, "", problem + "; the default is used");
  auto const before = place.values.find(row);
  if (before != place.values.end() && before->second != *value)
    return record(place, name, TranslationStatus::no_counterpart, "",
                  "ignored after " + name_and_value(*row, before->second));
  place.values[row] = *value;
  bool const kept =
      row->name == name && (found.ours.empty() || upper_case(found.ours) == upper_case(found.value));
  auto const status = kept ? TranslationStatus::same
                      : found.status == TranslationStatus::same && row->name != name
                          ? TranslationStatus::renamed
                          : found.status;
  record(place, name, status, kept ? "" : name_and_value(*row, *value), found.note);
}

void Translator::polynomial_for(bool symmetric, int sweeps, std::string const& theirs, Values& values) {
  // Laplace3D, Elasticity3D: a polynomial of degree 4 takes about the iterations of a symmetric sweep.
  int const degree = std::clamp((symmetric ? 4 : 2) * std::min(sweeps, 64), 2, 64);
  set_value("smoother: type", "CHEBYSHEV", values);
  set_value("chebyshev: degree", std::to_string(degree), values);
  if (degree > largest_optimal) set_value("chebyshev: algorithm", "fourth", values);
  entries_.push_back({theirs, TranslationStatus::no_counterpart,
                      "chebyshev: degree = " + std::to_string(degree),
                      core::message("Gauss-Seidel, ", sweeps, sweeps == 1 ? " sweep" : " sweeps",
                                    ": replaced by a polynomial, which is parallel")});
}

void Translator::smoother_parameters(std::string const& kind, Place const& place) {
  auto const& params = place.list;
  std::string const type = "relaxation: type", sweeps = "relaxation: sweeps",
                    damping = "relaxation: damping factor", ratio = "chebyshev: ratio eigenvalue";
  bool sequential = false;
  if (kind == "RELAXATION" && params.isType<std::string>(type)) {
    auto const found = translated_value(*find_foreign(Library::ifpack2, type), params.getEntry(type));
    sequential = found.status == TranslationStatus::no_counterpart && found.ours.empty();
    if (sequential) {
      if (params.isParameter(sweeps) && !params.isType<int>(sweeps))
        problems_.push_back(where(params, sweeps) + " must be of type int");
      bool const symmetric = upper_case(found.value).find("SYMMETRIC") != std::string::npos;
      int const passes = params.isType<int>(sweeps) ? params.get<int>(sweeps) : 1;
      polynomial_for(symmetric, passes, place.path + type + " = " + found.value, place.values);
    }
  }
  for (auto const& entry : params) {
    auto const& name = entry.first;
    if (sequential && (name == type || name == sweeps)) continue;
    if (sequential && name == damping) {
      record(place, name, TranslationStatus::no_effect, "", "the polynomial needs none");
    } else if (kind == "CHEBYSHEV" && name == ratio && !params.isParameter("chebyshev: algorithm")) {
      set_value("chebyshev: algorithm", "first", place.values);
      translate_entry(Library::ifpack2, name, place);
    } else {
      translate_entry(Library::ifpack2, name, place);
    }
  }
}

void Translator::remove_without_effect() {
  for (auto& [level, values] : values_) {
    for (bool again = true; again;) {
      Draft draft;
      auto all = values_[all_levels];
      for (auto const& one : values) all[one.first] = one.second;
      for (auto const& one : all)
        if (one.first->name == algorithm_name) one.first->set(draft, one.second);
      auto const algorithm = draft.settings.algorithm;
      draft = {};
      method_for(algorithm).defaults(draft);
      for (auto const& one : all) one.first->set(draft, one.second);
      again = false;
      for (auto one = values.begin(); one != values.end();) {
        auto const& [row, value] = *one;
        bool const no_effect = row->condition.holds && !row->condition.holds(draft);
        again = again || no_effect;
        if (no_effect)
          entries_.push_back({name_and_value(*row, value), TranslationStatus::no_effect, "",
                              "left out: it is only for " + row->condition.text});
        one = no_effect ? values.erase(one) : std::next(one);
      }
    }
  }
}

void Translator::write(Teuchos::ParameterList& list) {
  auto const& names_of_ours = names();
  auto& top = values_[all_levels];
  auto const* const size = names_of_ours.at("coarse: max size").row;
  if (auto const one = top.find(size); one != top.end() && std::get<int>(one->second) > largest_dense) {
    entries_.push_back({name_and_value(*size, one->second), TranslationStatus::renamed,
                        core::message("coarse: max size = ", largest_dense),
                        "the largest that the dense solver takes; a further level costs less"});
    one->second = largest_dense;
  }
  auto const* const levels = names_of_ours.at("max levels").row;
  if (auto const one = top.find(levels);
      library_ != Library::ifpack2 && one != top.end() && std::get<int>(one->second) <= few_levels) {
    entries_.push_back({name_and_value(*levels, one->second), TranslationStatus::no_counterpart, "",
                        "left out: there is no sparse direct solver for large coarsest levels"});
    top.erase(one);
  }
  for (auto& [level, values] : values_) {
    for (auto one = values.begin(); one != values.end();) {
      bool const stays = level == all_levels || differs_by_level(*one->first);
      if (!stays)
        entries_.push_back({core::message("level ", level, " -> ", name_and_value(*one->first, one->second)),
                            TranslationStatus::no_counterpart, "", "left out: the same on all levels"});
      one = stays ? std::next(one) : values.erase(one);
    }
  }
  remove_without_effect();
  if (!problems_.empty()) {
    std::string all = problems_.size() == 1 ? "" : core::message(problems_.size(), " mistakes:");
    for (auto const& problem : problems_) all += (all.empty() ? "" : "\n  ") + problem;
    throw core::InvalidInput(all);
  }
  auto const write_values = [](Values const& values, Teuchos::ParameterList& to) {
    for (auto const& [row, value] : values) {
      auto& place = row->sublist == "smoother: params" ? to.sublist(row->sublist) : to;
      std::visit([&, name = row->name](auto const& v) { place.set(name, v); }, value);
    }
  };
  write_values(top, list);
  if (user_data_.numParams() > 0) list.sublist("user data") = user_data_;
  for (auto const& [level, values] : values_)
    if (level != all_levels && !values.empty())
      write_values(values, list.sublist("level " + std::to_string(level)));
}

}  // namespace Tessera::parameters
