// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/conninfo.hpp"

#include "replicant/actors/postgres/libpq_handles.hpp"
#include "replicant/actors/postgres/password_file.hpp"
#include "replicant/core/model/number_text.hpp"
#include "replicant/core/model/session_settings.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace replicant::postgres {

namespace {

constexpr std::chrono::seconds default_connect_timeout{10};

/// No parameter of libpq accepts it.
constexpr std::string_view impossible = "replicant-dry-run";

/// There can be nothing, so libpq passes over it in silence.
constexpr const char* no_file = "/dev/null/none";

/// What libpq makes of `given` when `spoiled` has an impossible value: it reads the service file
/// and the environment, checks the other values, and gives up before it opens a socket.
struct dry_run {
  dry_run(parameters given, std::string spoiled) {
    given.insert_or_assign(std::move(spoiled), std::string{impossible});
    // Without a password libpq would read the password file, and may warn about it on stderr.
    given.try_emplace("password", "unused");
    const keyword_arrays arrays{given};
    const connection_handle attempt{
      PQconnectStartParams(arrays.keywords.data(), arrays.values.data(), 0)};
    if (attempt == nullptr)
      return;
    // libpq cites the value that it refuses.
    only_spoiled_refused =
      std::string_view{PQerrorMessage(attempt.get())}.find(impossible) != std::string_view::npos;
    const options_handle options{PQconninfo(attempt.get())};
    for (const auto* option = options.get(); option != nullptr && option->keyword != nullptr;
         ++option)
      if (option->val != nullptr)
        effective.emplace(option->keyword, option->val);
  }

  parameters effective;
  bool only_spoiled_refused = false;
};

std::optional<parameters> parse_given(const std::string& text) {
  char* why = nullptr;
  const options_handle options{PQconninfoParse(text.c_str(), &why)};
  PQfreemem(why);
  if (options == nullptr)
    return std::nullopt;
  parameters given;
  for (const auto* option = options.get(); option->keyword != nullptr; ++option)
    if (option->val != nullptr && *option->val != '\0')
      given.emplace(option->keyword, option->val);
  // How a session is used is for us to say.
  given.erase("replication");
  return given;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  if (list.empty())
    return parts;
  for (std::size_t start = 0; start <= list.size();) {
    const auto end = std::min(list.find(',', start), list.size());
    parts.emplace_back(list.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

bool is_port(const std::string& text) {
  const auto value = parse_number<int>(text);
  return text.empty() || (value && *value > 0 && *value < 65536);
}

std::string_view value_of(const parameters& all, std::string_view keyword) {
  const auto found = all.find(keyword);
  return found == all.end() ? std::string_view{} : std::string_view{found->second};
}

/// What libpq makes of `given`: service file, environment, defaults; nothing when it would refuse
/// it.
std::optional<parameters> complete(const parameters& given) {
  // libpq checks target_session_attrs last, so the first run tells whether all else is in order;
  // the second tells the effective target_session_attrs.
  const dry_run checked{given, "target_session_attrs"};
  dry_run complete{given, "sslmode"};
  static constexpr std::array<std::string_view, 6> attributes{
    "any", "read-write", "read-only", "primary", "standby", "prefer-standby"};
  const auto wanted = value_of(complete.effective, "target_session_attrs");
  if (!checked.only_spoiled_refused || std::ranges::find(attributes, wanted) == attributes.end() ||
      !std::ranges::all_of(split(value_of(complete.effective, "port")), is_port))
    return std::nullopt;
  return std::move(complete.effective);
}

/// The `index`th of a list; a list of one holds for all, as libpq has it for ports.
void assign(parameters& to, const char* keyword, const std::vector<std::string>& list,
            std::size_t index) {
  if (list.empty())
    return;
  to.insert_or_assign(keyword, list[list.size() == 1 ? 0 : index]);
}

std::string pinned_options(std::string_view users_own) {
  std::string options{users_own};
  for (const auto& setting : pinned_settings) {
    // client_encoding is a parameter of its own.
    if (setting.since_version != 0 || setting.name == "client_encoding")
      continue;
    options.append(options.empty() ? "-c " : " -c ");
    options.append(setting.name).append("=").append(setting.value);
  }
  return options;
}

} // namespace

result<conninfo> conninfo::parse(const std::string& text) {
  auto given = parse_given(text);
  auto effective = given ? complete(*given) : std::nullopt;
  if (!effective)
    return failure(reason::command_failed);
  return conninfo{std::move(*given), std::move(*effective)};
}

std::optional<std::string> conninfo::refused_keyword(const std::string& text) {
  const auto given = parse_given(text);
  parameters taken;
  // Without any, it is the environment that is wrong.
  if (!given || !complete(taken))
    return std::nullopt;
  for (const auto& [keyword, value] : *given) {
    taken.emplace(keyword, value);
    if (!complete(taken))
      return keyword;
  }
  return std::nullopt;
}

std::vector<std::string> conninfo::keywords() {
  std::vector<std::string> known;
  const options_handle options{PQconninfoParse("", nullptr)};
  for (const auto* option = options.get(); option != nullptr && option->keyword != nullptr;
       ++option)
    known.emplace_back(option->keyword);
  return known;
}

std::string_view conninfo::effective(std::string_view keyword) const {
  return value_of(effective_, keyword);
}

std::chrono::seconds conninfo::connect_timeout() const {
  const auto given = effective("connect_timeout");
  if (given.empty())
    return default_connect_timeout;
  return std::chrono::seconds{std::max(parse_number<int>(given).value_or(0), 0)};
}

parameters conninfo::common(session_kind kind) const {
  auto all = given_;
  all.insert_or_assign("fallback_application_name", "replicant");
  all.insert_or_assign("client_encoding", "UTF8");
  all.insert_or_assign("options", pinned_options(effective("options")));
  if (kind == session_kind::replication)
    all.insert_or_assign("replication", "database");
  if (is_unfit_password_file(effective("passfile")))
    all.insert_or_assign("passfile", no_file);
  static constexpr std::array<std::pair<const char*, const char*>, 4> dead_peer{
    std::pair{"keepalives_idle", "30"}, std::pair{"keepalives_interval", "10"},
    std::pair{"keepalives_count", "3"}, std::pair{"tcp_user_timeout", "60000"}};
  for (const auto& [keyword, value] : dead_peer)
    if (effective(keyword).empty())
      all.insert_or_assign(keyword, value);
  return all;
}

std::vector<parameters> conninfo::candidates(session_kind kind) const {
  const auto hosts = split(effective("host"));
  const auto addresses = split(effective("hostaddr"));
  const auto ports = split(effective("port"));
  const auto servers = std::max({hosts.size(), addresses.size(), std::size_t{1}});
  std::vector<std::string> passes{std::string{effective("target_session_attrs")}};
  if (passes.front() == "prefer-standby")
    passes =
      servers == 1 ? std::vector<std::string>{"any"} : std::vector<std::string>{"standby", "any"};
  std::vector<parameters> all;
  for (const auto& attributes : passes)
    for (std::size_t index = 0; index < servers; ++index) {
      auto one = common(kind);
      assign(one, "host", hosts, index);
      assign(one, "hostaddr", addresses, index);
      assign(one, "port", ports, index);
      one.insert_or_assign("target_session_attrs", attributes);
      all.push_back(std::move(one));
    }
  return all;
}

} // namespace replicant::postgres
