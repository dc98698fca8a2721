// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

/// Names and texts as the server reads them back. Every name that PostgreSQL accepts is allowed;
/// texts hold no NUL byte.
namespace replicant {

/// `name` as a delimited identifier: "a""b".
[[nodiscard]] std::string quote_identifier(std::string_view name);

/// `text` as a string constant: 'it''s'. A backslash stands for itself: replication commands know
/// no escapes, and standard_conforming_strings is pinned.
[[nodiscard]] std::string quote_literal(std::string_view text);

/// `texts`, each quoted by `quote`, with commas between them.
[[nodiscard]] std::string quoted_list(std::span<const std::string> texts,
                                      std::string (*quote)(std::string_view));

} // namespace replicant
