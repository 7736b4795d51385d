#include "comm/row_checks_body.hpp"

#include <iomanip>
#include <sstream>

namespace Tessera::comm {

std::string checksum_text(std::uint64_t hash) {
  std::ostringstream text;
  text << std::hex << std::setw(16) << std::setfill('0') << hash;
  return text.str();
}

template GlobalIndex check_rows(Host const&, DistCsr<double, Host> const&, Span<double>, RowChecks*, double,
                                double const*);
template std::string checksum(Host const&, DistCsr<double, Host> const&);

}  // namespace Tessera::comm
