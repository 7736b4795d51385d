#include "cli/page.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <iterator>

#include "cli/html.hpp"
#include "core/error.hpp"

namespace Tessera::cli {
namespace {

using core::formatted;
using Ranking = std::vector<Measurement const*>;
using Rows = std::vector<std::vector<std::string>>;

constexpr char const* setup_colour = "#0072b2";
constexpr char const* solve_colour = "#e69f00";
constexpr char const* copies_colour = "#888888";
constexpr char const* memory_colour = "#009e73";

// By this policy browsers fetch nothing.
constexpr char const* head = R"(<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<style>
body { margin: 0 auto; max-width: 75rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid #ccc; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
details { margin: .5rem 0; } summary { cursor: pointer; font-weight: 600; }
.verdict { font-size: 1.15rem; background: #eef5fa; border-left: 5px solid #0072b2; padding: .6rem .9rem; }
.quiet { color: #595959; font-size: .9rem; } p, li, dd, h1, h3, summary { overflow-wrap: anywhere; }
pre { background: #f5f5f5; padding: .7rem; overflow: auto; max-height: 24rem; font-size: .85rem; user-select: all; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #e2e2e2; white-space: nowrap; }
th[scope=row], th:first-child { text-align: left; }
.bars { display: grid; grid-template-columns: minmax(7rem, 14rem) minmax(0, 1fr) 5.5rem; gap: .15rem .6rem; align-items: center; font-size: .9rem; }
.bars > * { overflow-wrap: anywhere; } .bar { display: flex; height: 1rem; } .bar span { display: block; height: 100%; }
.bars .number { text-align: right; font-variant-numeric: tabular-nums; } .bars .trouble { grid-column: 2 / 4; color: #a02000; }
@media (max-width: 40rem) { .bars { grid-template-columns: minmax(0, 1fr) 5.5rem; } .bars .name { grid-column: 1 / -1; margin-top: .3rem; } .bars .trouble { grid-column: 1 / -1; } }
.key { display: inline-block; width: .8rem; height: .8rem; margin: 0 .3rem 0 .8rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem; }
.chart { width: 100%; height: auto; font-size: 11px; } .chart text { fill: #333; } .curve { fill: none; stroke-width: 1.6; }
.grid { stroke: #ddd; } .tolerance { stroke: #a02000; stroke-dasharray: 6 3; } .couplings { fill: #56b4e9; } .rounding { stroke: #444; stroke-dasharray: 2 3; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; font-size: .9rem; }
figure { margin: 0; } .dots, .links { fill: none; stroke-linecap: round; } .tiles { fill: none; stroke-linecap: square; }
.swatch { width: 24px; height: 8px; margin-right: .4rem; vertical-align: middle; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; } dt { font-weight: 600; } dd { margin: 0; }
</style>
)";

std::string label(Measurement const& m) {
  return escaped(list_name(m.list.file));
}

std::string problem_text(SystemFigures const& system, double tolerance) {
  return core::message(system.name, " (", system.rows, " rows, ", system.nonzeros,
                       " nonzeros) to a relative residual of ", tolerance, ", on ",
                       plural(system.ranks, "rank"), " of ", plural(system.threads, "thread"));
}

/// The file's text; empty if it cannot be read a second time, such as from a pipe.
std::string text_of(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string winning_list(Measurement const& winner) {
  if (!winner.converged()) return {};
  auto const& file = winner.list.file;
  auto const text = text_of(file);
  auto const heading =
      "<details>\n<summary>The winning list, to copy</summary>\n<p class=\"quiet\">" + escaped(file);
  if (text.empty())
    return heading + " cannot be read a second time, so the page lacks its text.</p>\n</details>\n";
  return heading +
         ", the text of the file. The tolerance above and options of the command line replace its "
         "values.</p>\n<pre>" +
         escaped(text) + "</pre>\n</details>\n";
}

struct Part {
  char const* colour;
  double value;
};

std::string bar(std::vector<Part> const& parts, double most) {
  std::string html = "<div class=\"bar\">";
  for (auto const& [colour, value] : parts)
    if (value > 0 && most > 0)
      html += formatted("<span style=\"width:%.3f%%;background:%s\"></span>", 100 * value / most, colour);
  return html + "</div>";
}

std::string key(char const* colour, char const* what) {
  return formatted("<span class=\"key\" style=\"background:%s\"></span>%s", colour, what);
}

double copies(Measurement const& m) {
  return m.transfer.empty() ? 0 : minimum(m.transfer) + minimum(m.reading);
}
double seconds(Measurement const& m) {
  return minimum(m.setup) + minimum(m.solve) + copies(m);
}
double memory(Measurement const& m) {
  return static_cast<double>(m.peak_memory + m.device_peak_memory);
}

/// Three cells a list: its name, its bar, its number. A failed list has the reason instead of bar and number.
template <class Parts, class Number>
std::string bars(Ranking const& ranking, double (*size)(Measurement const&), Parts const& parts,
                 Number const& number) {
  double most = 0;
  for (auto const* m : ranking)
    if (!m->failed()) most = std::max(most, size(*m));
  std::string html = "<div class=\"bars\">\n";
  for (auto const* m : ranking) {
    html += "<div class=\"name\">" + label(*m) + "</div>";
    if (m->failed())
      html += "<div class=\"trouble\">" + escaped(trouble(*m)) + "</div>\n";
    else
      html += bar(parts(*m), most) + "<div class=\"number\">" + number(*m) + "</div>\n";
  }
  return html + "</div>\n";
}

std::string times_and_memory(Ranking const& ranking) {
  bool const copied = std::any_of(ranking.begin(), ranking.end(), [](auto* m) { return copies(*m) > 0; });
  auto html = std::string("<h2>Times</h2>\n<p class=\"quiet\">") + key(setup_colour, "setup") +
              key(solve_colour, "solve") +
              (copied ? key(copies_colour, "copies to the GPU and back, which totals exclude") : "") +
              ", the smallest of all repeats each, the largest of all ranks. ML's times exclude "
              "its copy of the matrix in Epetra's format.</p>\n";
  auto const time_parts = [](Measurement const& m) {
    return std::vector<Part>{
        {setup_colour, minimum(m.setup)}, {solve_colour, minimum(m.solve)}, {copies_colour, copies(m)}};
  };
  html += bars(ranking, seconds, time_parts, [](Measurement const& m) {
    return formatted("%.3f s", seconds(m)) +
           (m.converged() ? "" : "<br/>" + std::string(name(m.result.status)));
  });
  html +=
      "<h2>Memory</h2>\n<p class=\"quiet\">Peak of the processes, the problem included, and on devices; sums "
      "over "
      "the ranks.</p>\n";
  auto const memory_parts = [](Measurement const& m) {
    return std::vector<Part>{{memory_colour, memory(m)}};
  };
  return html + bars(ranking, memory, memory_parts,
                     [](Measurement const& m) { return formatted("%.0f MB", memory(m) / 1e6); });
}

std::string words_cell(std::string const& text) {
  return escaped(text.substr(std::min(text.find_first_not_of(' '), text.size())));
}

std::string results(Ranking const& ranking) {
  std::vector<std::string> const headings{
      "list",           "preconditioner",      "status",        "solver",         "runs on",
      "iterations",     "first setup s",       "setup s",       "solve s",        "total s",
      "median total s", "operator complexity", "true residual", "backward error", "file"};
  Rows rows;
  std::string reasons;
  for (auto const* m : ranking) {
    if (!m->converged()) reasons += "<li><b>" + label(*m) + "</b>: " + words_cell(trouble(*m)) + "</li>\n";
    std::vector<std::string> row{label(*m), escaped(m->preconditioner)};
    if (m->failed()) {
      row.emplace_back(m->list.absent.empty() ? "failed" : "not in this build");
    } else {
      for (auto const& text :
           {std::string(name(m->result.status)), escaped(m->solved.solver),
            escaped(m->info.device.empty() ? m->info.backend : m->info.device),
            std::to_string(m->solved.iterations), formatted("%.3f", m->setup.front()),
            formatted("%.3f", minimum(m->setup)), formatted("%.3f", minimum(m->solve)),
            formatted("%.3f", minimum(totals(*m))), formatted("%.3f", median(totals(*m))),
            m->info.operator_complexity > 0 ? formatted("%.2f", m->info.operator_complexity) : "-",
            figure("%.2e", m->solved.relative_residual), figure("%.1e", m->solved.backward_error)})
        row.push_back(text);
    }
    row.resize(headings.size() - 1);  // a list that failed has no figures
    row.push_back(escaped(m->list.file));
    rows.push_back(std::move(row));
  }
  auto html = "<h2>Figures</h2>\n" + table(headings, rows);
  if (!reasons.empty()) html += "<h3>Did not converge</h3>\n<ul>\n" + reasons + "</ul>\n";
  return html;
}

std::string residuals(Ranking const& ranking, double tolerance) {
  std::string legend;
  for (std::size_t i = 0; i < ranking.size(); ++i)
    if (!ranking[i]->failed()) legend += "<li>" + swatch(i) + label(*ranking[i]) + "</li>\n";
  return "<h2>Residuals</h2>\n<p class=\"quiet\">|| b - A x || / || b ||. Lines: the solver's residual in "
         "the "
         "first repeat. Dots: the true residual at the end; hollow if the list did not converge. Solvers "
         "report no "
         "times, so the time of a solve is divided evenly among its iterations.</p>\n<div "
         "class=\"charts\">\n" +
         residual_chart(ranking, Abscissa::seconds, tolerance) +
         residual_chart(ranking, Abscissa::iterations, tolerance) + "</div>\n<ul class=\"legend\">\n" +
         legend + "</ul>\n";
}

std::string or_dash(std::string const& text) {
  return text.empty() ? "-" : escaped(text);
}

/// Other libraries report rows and entries only.
std::string levels_table(std::vector<baselines::Level> const& levels, bool ours) {
  std::vector<std::string> headings{"level", "rows", "entries", "entries a row"};
  if (ours) headings.insert(headings.end(), {"aggregates", "format", "bytes", "bytes an entry", "checksum"});
  Rows rows;
  for (auto const& level : levels) {
    auto const each =
        level.rows > 0 ? static_cast<double>(level.nonzeros) / static_cast<double>(level.rows) : 0.0;
    rows.push_back({std::to_string(rows.size()), std::to_string(level.rows), std::to_string(level.nonzeros),
                    formatted("%.1f", each)});
    if (ours)
      rows.back().insert(rows.back().end(), {std::to_string(level.aggregates), or_dash(level.format),
                                             std::to_string(level.bytes),
                                             formatted("%.1f", level.entry_bytes), or_dash(level.checksum)});
  }
  return table(headings, rows);
}

std::string inverse_table(fsai::Report const& report) {
  return table(
      {"factors", "rows", "entries", "entries a row", "format", "bytes", "checksum"},
      {{std::to_string(report.factors), std::to_string(report.rows), std::to_string(report.factor_nonzeros),
        formatted("%.1f", static_cast<double>(report.factor_nonzeros) / static_cast<double>(report.rows)),
        or_dash(report.format), std::to_string(report.bytes), or_dash(report.checksum)}});
}

std::string ladders(Ranking const& ranking) {
  std::string html;
  for (auto const* m : ranking) {
    if (m->failed() || (m->info.levels.empty() && !m->info.fsai)) continue;
    html += "<h3>" + label(*m) + " (" + escaped(m->preconditioner) + ")</h3>\n";
    html += m->info.fsai ? inverse_table(*m->info.fsai) : levels_table(m->info.levels, is_ours(*m));
  }
  return html.empty() ? html : "<h2>Levels</h2>\n" + html;
}

std::string warnings(Ranking const& ranking, std::string const& note) {
  std::string items = note.empty() ? "" : "<li>" + escaped(note) + "</li>\n";
  for (auto const* m : ranking)
    for (auto const* all : {&m->info.warnings, &m->solved.warnings})
      for (auto const& warning : *all)
        items += "<li><b>" + label(*m) + "</b>: " + escaped(warning) + "</li>\n";
  return "<h2>Warnings</h2>\n" + (items.empty() ? "<p>None.</p>\n" : "<ul>\n" + items + "</ul>\n");
}

std::string now() {
  std::time_t const time = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&time, &utc);
  return formatted("%04d-%02d-%02d %02d:%02d UTC", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                   utc.tm_hour, utc.tm_min);
}

std::string circumstances(SystemFigures const& system, PageContext const& context) {
  std::string command;
  for (auto const& argument : context.command_line)
    command += (command.empty() ? "" : " ") + shell_quoted(argument);
  Facts facts{{"problem", headline(system, context.tolerance)},
              {"ranks", std::to_string(system.ranks)},
              {"threads a rank", std::to_string(system.threads)},
              {"processor", processor()},
              {"date", now()}};
  for (auto const& version : versions()) facts.push_back(version);
  std::string html = "<h2>How this was run</h2>\n<pre>" + escaped(command) + "</pre>\n<dl>\n";
  for (auto const& [what, fact] : facts) html += "<dt>" + what + "</dt><dd>" + escaped(fact) + "</dd>\n";
  return html + "</dl>\n";
}

}  // namespace

std::string html_text(SystemFigures const& system, std::vector<Measurement> const& lists,
                      PageContext const& context) {
  auto const ranking = ranked(lists);
  auto const title = "Tessera: " + plural(static_cast<int>(lists.size()), "list") + " on " + system.name;
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n" + std::string(head) + "<title>" + escaped(title) +
         "</title>\n</head>\n<body>\n<h1>" + escaped(title) + "</h1>\n<p class=\"verdict\">" +
         escaped(verdict_on(lists, problem_text(system, context.tolerance))) + "</p>\n" +
         winning_list(*ranking.front()) + times_and_memory(ranking) + residuals(ranking, context.tolerance) +
         results(ranking) + coupling_chart(context.couplings) + winner_charts(context.winner) +
         ladders(ranking) + warnings(ranking, context.note) + circumstances(system, context) +
         "</body>\n</html>\n";
}

}  // namespace Tessera::cli
