#pragma once
/// \file
/// Tests that need a GPU.
#include <gtest/gtest.h>

#include "core/device.hpp"

/// Skips the test, saying why, where there is no device; the message is what ctest looks for.
#define TESSERA_SKIP_WITHOUT_DEVICE()                                      \
  if (auto const reason = ::Tessera::core::why_no_cuda(); !reason.empty()) \
  GTEST_SKIP() << "no CUDA device can be used: " << reason
