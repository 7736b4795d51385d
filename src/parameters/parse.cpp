#include "parameters/parse.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "parameters/reading.hpp"
#include "settings/table.hpp"

namespace Tessera::parameters {
namespace {

using Entry = Givens::value_type;

void set_all(Givens const& givens, Draft& draft) {
  for (auto const& entry : givens) entry.first->set(draft, entry.second.value);
}

std::string no_effect(Entry const& entry) {
  return entry.second.where + " would have no effect: it is for " + entry.first->condition.text;
}

Settings settings_with_ifpack2(Draft draft) {
  draft.ifpack2_symmetric = symmetric_in_ifpack2(draft.ifpack2_type, draft.ifpack2_list);
  return settings_of(draft);
}

class Parser {
 public:
  explicit Parser(Teuchos::ParameterList const& list) : read_(read(list)) {}

  /// The method of the list, by its algorithm.
  Method const& method() const {
    Draft draft;
    for (auto const& entry : read_.top.given)
      if (entry.first->name == algorithm_name) entry.first->set(draft, entry.second.value);
    return method_for(draft.settings.algorithm);
  }

  Settings result(std::vector<std::string>* warnings, Method const& used) {
    strict_ = drafted(used).settings.strict;
    join_sides(read_.top, drafted(used));
    for (auto& level : read_.levels) join_sides(level.second, drafted(used));
    auto const base = drafted(used);
    drop_without_effect(read_.top.given, [&] { return drafted(used); });
    for (auto& level : read_.levels) {
      drop_without_effect(level.second.given, [&] {
        auto draft = base;
        set_all(level.second.given, draft);
        return draft;
      });
    }
    auto const draft = drafted(used);
    judge_foreign(draft);
    if (draft.order_by_front)
      warnings_.emplace_back(
          "`aggregation: order` = front no longer has an effect: roots have random priorities; leave it out");
    if (warnings) *warnings = warnings_;
    if (!read_.problems.empty()) {
      auto const& problems = read_.problems;
      std::string text =
          problems.size() == 1 ? "" : core::message(problems.size(), " mistakes in parameters:");
      for (auto const& problem : problems) text += (text.empty() ? "" : "\n  ") + problem;
      throw core::InvalidInput(text);
    }
    auto settings = settings_with_ifpack2(draft);
    auto const& selected = method();
    TESSERA_VALIDATE(used.takes(settings.algorithm), used.name, ": \"", algorithm_name, "\" is that of ",
                     selected.name, "; leave it out, or create ", selected.name, ", by the name ",
                     selected.keys.front(), " of Tessera::Factory, for example");
    for (auto const& level : read_.levels) {
      if (level.second.given.empty()) continue;
      auto own = draft;
      set_all(level.second.given, own);
      auto const multigrid = settings_with_ifpack2(own).multigrid;
      settings.multigrid.level_smoothers.emplace_back(level.first, multigrid.smoother);
      if (level.second.given.count(names().at(drop_tolerance_name).row) > 0)
        settings.multigrid.level_drop_tolerances.emplace_back(level.first, multigrid.strength.drop_tolerance);
    }
    return settings;
  }

  std::vector<std::pair<std::string, std::string>> values() const {
    std::vector<std::pair<std::string, std::string>> all;
    Draft standard;
    method().defaults(standard);
    auto const add = [&all](std::string const& name, Value const& value) {
      auto const* number = std::get_if<double>(&value);
      all.emplace_back(name, number ? core::message(*number) : text(value));  // with all digits
    };
    for (auto const& row : table()) {
      auto const given = read_.top.given.find(&row);
      add(row.name, given == read_.top.given.end() ? row.get(standard) : given->second.value);
    }
    auto const add_block = [&](Block const& block, std::string const& path, bool with_given) {
      for (auto const& one : with_given ? block.given : Givens{})
        add(path + one.first->name, one.second.value);
      for (auto const& one : block.before) add(path + "before -> " + one.first->name, one.second.value);
      for (auto const& one : block.after) add(path + "after -> " + one.first->name, one.second.value);
    };
    add_block(read_.top, "", false);
    for (auto const& level : read_.levels)
      add_block(level.second, "level " + std::to_string(level.first) + " -> ", true);
    return all;
  }

 private:
  Draft drafted(Method const& used) const {
    Draft draft;
    used.defaults(draft);
    set_all(read_.top.given, draft);
    return draft;
  }

  /// Refuses parameters without effect, or drops them with a warning. A dropped one may have been the
  /// condition of another, hence the repetition. draft(): the draft with the present values.
  template <class Drafted>
  void drop_without_effect(Givens& givens, Drafted const& draft) {
    bool const refuse = strict_ != Strictness::nothing;
    for (bool again = true; again;) {
      auto const now = draft();
      std::vector<Parameter const*> ineffective;
      for (auto const& entry : givens) {
        auto const& condition = entry.first->condition;
        if (!condition.holds || condition.holds(now)) continue;
        ineffective.push_back(entry.first);
        auto const text = no_effect(entry);
        if (refuse) {
          read_.problems.push_back(text + "; set that, or leave this out");
        } else {
          warnings_.push_back(text);
        }
      }
      again = !refuse && !ineffective.empty();
      if (again)
        for (auto const* row : ineffective) givens.erase(row);
    }
  }

  /// Joins the parameters of the smoothers before and after the coarse correction. Both must be the same,
  /// because the cycle smooths with the transpose afterwards. A side without parameters has those of the
  /// other side.
  void join_sides(Block& block, Draft const& base) {
    auto const when = base.settings.multigrid.smoother.pre_or_post;
    for (auto* side : {&block.before, &block.after}) {
      auto const other = side == &block.before ? multigrid::PreOrPost::post : multigrid::PreOrPost::pre;
      if (side->empty() || (when != other && when != multigrid::PreOrPost::none)) continue;
      auto const text =
          side->begin()->second.where + " would have no effect: `smoother: pre or post` excludes it";
      (strict_ == Strictness::nothing ? warnings_ : read_.problems).push_back(text);
      side->clear();
    }
    auto const with = [&](Givens const& side) {
      auto draft = base;
      set_all(block.given, draft);
      set_all(side, draft);
      return draft;
    };
    auto const& before = block.before.empty() ? block.after : block.before;
    auto const& after = block.after.empty() ? block.before : block.after;
    auto const first = with(before), second = with(after);
    for (auto const* side : {&before, &after}) {
      for (auto const& [row, given] : *side) {
        if (row->get(first) != row->get(second)) {
          read_.problems.push_back(given.where + " is " + text(given.value) +
                                   ", and on the other side of the coarse levels " +
                                   text(row->get(side == &before ? second : first)) +
                                   ": with different smoothers before and after a cycle is not symmetric, as "
                                   "conjugate gradients need it; give both the same");
          return;
        }
        auto const general = block.given.find(row);
        if (general != block.given.end() && general->second.value != given.value) {
          read_.problems.push_back(given.where + " contradicts " + general->second.where +
                                   ", which holds for both sides; leave one out");
          return;
        }
      }
    }
    for (auto const& one : Givens(before)) block.given.insert(one);
  }

  /// Refuses unknown names and parameters of other libraries, or warns, as `tessera: strict` asks for.
  void judge_foreign(Draft const& draft) {
    if (read_.suppressed > 0) read_.unknown.push_back(core::message(read_.suppressed, " more unknown names"));
    auto const coarse = draft.settings.multigrid.coarse;
    for (auto const& text : read_.of_coarse_solver) {
      if (coarse != multigrid::CoarseType::smoother) {
        read_.no_effect.push_back(core::message(text, ", has no effect in Tessera: the ",
                                                coarse == multigrid::CoarseType::dense
                                                    ? "dense factorization has no parameters"
                                                    : "direct solver has its defaults"));
      } else {
        read_.unknown.push_back(text +
                                ", has no counterpart in Tessera: the smoother solves the coarsest level, "
                                "`coarse: sweeps` times");
      }
    }
    auto const put = [](std::vector<std::string> const& from, std::vector<std::string>& to) {
      to.insert(to.end(), from.begin(), from.end());
    };
    put(read_.unknown, strict_ == Strictness::nothing ? warnings_ : read_.problems);
    put(read_.no_effect, strict_ == Strictness::all ? read_.problems : warnings_);
  }

  Reading read_;
  Strictness strict_ = Strictness::own;
  std::vector<std::string> warnings_;  ///< warnings
};

}  // namespace

Settings parse(Teuchos::ParameterList const& list, std::vector<std::string>* warnings, Method const* method) {
  if (warnings) warnings->clear();
  Parser parser(list);
  return parser.result(warnings, method ? *method : parser.method());
}

Method const& method_of(Teuchos::ParameterList const& list) {
  return Parser(list).method();
}

std::vector<std::pair<std::string, std::string>> parsed_values(Teuchos::ParameterList const& list) {
  return Parser(list).values();
}

}  // namespace Tessera::parameters
