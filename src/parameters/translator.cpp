#include "parameters/translator.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "parameters/messages.hpp"
#include "parameters/method.hpp"
#include "parameters/reading.hpp"

namespace Tessera::parameters {
namespace {

/// Rows that are solved densely, at most; longer ones would be swept.
constexpr int solved_densely = 2000;

/// Levels of a multilevel method whose coarsest problem is any size.
constexpr int few_levels = 3;

std::string said_as(Parameter const& row, Value const& value) {
  return row.name + " = " + text(value);
}

std::vector<std::string> values_of(Word const& word) {
  std::vector<std::string> all;
  for (auto const& one : word.values) all.push_back(one.value);
  return all;
}

}  // namespace

void Translator::say(Place const& place, std::string const& name, TranslationStatus status,
                     std::string const& ours, std::string const& note) {
  words_.push_back({place.path + name + " = " + plain(place.list.getEntry(name)), status, ours, note});
}

void Translator::unknown(Library library, std::string const& name, Place const& place) {
  problems_.push_back(where(place.list, name) + " is an unknown parameter of " + name_of(library) +
                      hint(name, words_of(library)));
}

void Translator::put(std::string const& ours, std::string const& value, Said& said) const {
  Parameter const& row = *names().at(ours).row;
  std::string problem;
  said[&row] = *converted(row, nullptr, entry_of(row, value), problem);
}

void Translator::word(Library library, std::string const& name, Place const& place) {
  auto const* const known = find_word(library, name);
  if (known == nullptr) return unknown(library, name, place);
  take(*known, name, place);
}

void Translator::take(Word const& word, std::string const& name, Place const& place) {
  auto const& entry = place.list.getEntry(name);
  auto const found = meaning(word, entry);
  if (found.status == TranslationStatus::idle ||
      (found.status == TranslationStatus::absent && found.here.empty()))
    return say(place, name, found.status, "", found.note);
  // Of ML a name may end in its level, which is none of ours.
  auto const plain_name = name.substr(0, name.find(" (level "));
  auto const ours = names().find(found.name.empty() ? plain_name : found.name);
  if (ours == names().end()) {
    problems_.push_back(where(place.list, name) + " is a sublist in lists of " + name_of(word.library));
    return;
  }
  auto const& [row, alias] = ours->second;
  std::string problem;
  auto const value = found.here.empty() ? converted(*row, alias, entry, problem)
                                        : converted(*row, nullptr, entry_of(*row, found.here), problem);
  if (!value && (row->kind == Kind::choice || problem.find("out of range") == std::string::npos)) {
    auto const own = values_of(word);
    problems_.push_back(
        where(place.list, name) + " " + problem +
        (own.empty() ? "" : " and those of " + name_of(word.library) + hint(plain(entry), own)));
    return;
  }
  if (!value) return say(place, name, TranslationStatus::absent, "", problem + "; the default stands");
  auto const before = place.said.find(row);
  if (before != place.said.end() && before->second != *value)
    return say(place, name, TranslationStatus::absent, "",
               "after " + said_as(*row, before->second) + ", which stays");
  place.said[row] = *value;
  bool const kept =
      row->name == name && (found.here.empty() || upper_case(found.here) == upper_case(found.value));
  auto const status = kept ? TranslationStatus::same
                      : found.status == TranslationStatus::same && row->name != name
                          ? TranslationStatus::renamed
                          : found.status;
  say(place, name, status, kept ? "" : said_as(*row, *value), found.note);
}

void Translator::polynomial_for(bool symmetric, int sweeps, std::string const& theirs, Said& said) {
  // Laplace3D, Elasticity3D: a polynomial of degree 4 takes about the iterations of a symmetric sweep.
  int const degree = std::clamp((symmetric ? 4 : 2) * std::min(sweeps, 64), 2, 64);
  put("smoother: type", "CHEBYSHEV", said);
  put("chebyshev: degree", std::to_string(degree), said);
  words_.push_back({theirs, TranslationStatus::absent, "chebyshev: degree = " + std::to_string(degree),
                    core::message("Gauss-Seidel, ", sweeps, sweeps == 1 ? " sweep" : " sweeps",
                                  ": a polynomial in its place, which is parallel")});
}

void Translator::smoother_words(std::string const& kind, Place const& place) {
  auto const& params = place.list;
  std::string const type = "relaxation: type", sweeps = "relaxation: sweeps",
                    damping = "relaxation: damping factor", ratio = "chebyshev: ratio eigenvalue";
  bool sequential = false;
  if (kind == "RELAXATION" && params.isType<std::string>(type)) {
    auto const found = meaning(*find_word(Library::ifpack2, type), params.getEntry(type));
    sequential = found.status == TranslationStatus::absent && found.here.empty();
    if (sequential) {
      if (params.isParameter(sweeps) && !params.isType<int>(sweeps))
        problems_.push_back(where(params, sweeps) + " must be of type int");
      bool const symmetric = upper_case(found.value).find("SYMMETRIC") != std::string::npos;
      int const passes = params.isType<int>(sweeps) ? params.get<int>(sweeps) : 1;
      polynomial_for(symmetric, passes, place.path + type + " = " + found.value, place.said);
    }
  }
  for (auto const& entry : params) {
    auto const& name = entry.first;
    if (sequential && (name == type || name == sweeps)) continue;
    if (sequential && name == damping) {
      say(place, name, TranslationStatus::idle, "", "the polynomial needs none");
    } else if (kind == "CHEBYSHEV" && name == ratio && !params.isParameter("chebyshev: algorithm")) {
      put("chebyshev: algorithm", "first", place.said);
      word(Library::ifpack2, name, place);
    } else {
      word(Library::ifpack2, name, place);
    }
  }
}

void Translator::leave_out_without_effect() {
  for (auto& [level, said] : said_) {
    for (bool again = true; again;) {
      Draft draft;
      auto all = said_[all_levels];
      for (auto const& one : said) all[one.first] = one.second;
      for (auto const& one : all)
        if (one.first->name == algorithm_name) one.first->set(draft, one.second);
      auto const algorithm = draft.settings.algorithm;
      draft = {};
      method_for(algorithm).defaults(draft);
      for (auto const& one : all) one.first->set(draft, one.second);
      again = false;
      for (auto one = said.begin(); one != said.end();) {
        auto const& [row, value] = *one;
        bool const idle = row->condition.holds && !row->condition.holds(draft);
        again = again || idle;
        if (idle)
          words_.push_back({said_as(*row, value), TranslationStatus::idle, "",
                            "left out again: it is for " + row->condition.text});
        one = idle ? said.erase(one) : std::next(one);
      }
    }
  }
}

void Translator::write(Teuchos::ParameterList& list) {
  auto const& names_of_ours = names();
  auto& top = said_[all_levels];
  auto const* const size = names_of_ours.at("coarse: max size").row;
  if (auto const one = top.find(size); one != top.end() && std::get<int>(one->second) > solved_densely) {
    words_.push_back({said_as(*size, one->second), TranslationStatus::renamed,
                      core::message("coarse: max size = ", solved_densely),
                      "the largest that is solved densely; a further level costs less"});
    one->second = solved_densely;
  }
  auto const* const levels = names_of_ours.at("max levels").row;
  if (auto const one = top.find(levels);
      library_ != Library::ifpack2 && one != top.end() && std::get<int>(one->second) <= few_levels) {
    words_.push_back({said_as(*levels, one->second), TranslationStatus::absent, "",
                      "left out again: there is no sparse direct solver for large coarsest levels"});
    top.erase(one);
  }
  leave_out_without_effect();
  if (!problems_.empty()) {
    std::string all = problems_.size() == 1 ? "" : core::message(problems_.size(), " mistakes:");
    for (auto const& problem : problems_) all += (all.empty() ? "" : "\n  ") + problem;
    throw core::InvalidInput(all);
  }
  auto const write_said = [](Said const& said, Teuchos::ParameterList& to) {
    for (auto const& [row, value] : said) {
      auto& place = row->sublist == "smoother: params" ? to.sublist(row->sublist) : to;
      std::visit([&, name = row->name](auto const& v) { place.set(name, v); }, value);
    }
  };
  write_said(top, list);
  if (user_data_.numParams() > 0) list.sublist("user data") = user_data_;
  for (auto const& [level, said] : said_)
    if (level != all_levels && !said.empty())
      write_said(said, list.sublist("level " + std::to_string(level)));
}

}  // namespace Tessera::parameters
