// A profiler that NVTX loads (NVTX_INJECTION64_PATH). It writes the ranges of the domain Tessera as brackets.
#include <nvtx3/nvToolsExt.h>

#include <string>

namespace {

std::string seen;
char tessera;  ///< its address is the domain's handle; null for other domains

nvtxDomainHandle_t create(char const* name) {
  return name == std::string("Tessera") ? reinterpret_cast<nvtxDomainHandle_t>(&tessera) : nullptr;
}

int push(nvtxDomainHandle_t domain, nvtxEventAttributes_t const* range) {
  if (domain != nullptr) seen += std::string("(") + range->message.ascii;
  return 0;
}

int pop(nvtxDomainHandle_t domain) {
  if (domain != nullptr) seen += ")";
  return 0;
}

}  // namespace

extern "C" char const* ranges_of_tessera() {
  return seen.c_str();
}

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get) {
  auto const* const callbacks = static_cast<NvtxExportTableCallbacks const*>(get(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0)
    return 0;
  *table[NVTX_CBID_CORE2_DomainCreateA] = reinterpret_cast<NvtxFunctionPointer>(&create);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(&push);
  *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop);
  return 1;
}
