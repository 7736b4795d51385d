#include "belos/belos_history.hpp"

#include <BelosTypes.hpp>
#include <cstdio>
#include <string>

namespace Tessera::belos {

BelosHistory::BelosHistory(Teuchos::ParameterList& list, bool wanted) {
  if (!wanted) return;
  stream_ = Teuchos::rcp(new std::ostringstream);
  int const verbosity = list.isType<int>("Verbosity") ? list.get<int>("Verbosity") : 0;
  list.set("Verbosity", verbosity | Belos::IterationDetails | Belos::StatusTestDetails);
  list.set("Output Style", static_cast<int>(Belos::Brief));
  list.set("Output Frequency", 1);
  list.set("Output Stream", Teuchos::rcp_implicit_cast<std::ostream>(stream_));
}

void BelosHistory::append(std::vector<std::pair<int, double>>& history, int first_iteration,
                          double scale) const {
  if (stream_.is_null()) return;
  std::istringstream lines(stream_->str());
  std::string line;
  while (std::getline(lines, line)) {
    auto const at = line.find("Iter ");
    int iteration = 0, system = 0;
    double residual = 0;
    if (at == std::string::npos) continue;
    if (std::sscanf(line.c_str() + at, "Iter %d, [%d] : %lf", &iteration, &system, &residual) != 3) continue;
    int const k = first_iteration + iteration;
    // The last iteration is printed twice (once as the final status), and a restart repeats its first.
    if (!history.empty() && history.back().first >= k) continue;
    history.emplace_back(k, residual * scale);
  }
}

}  // namespace Tessera::belos
