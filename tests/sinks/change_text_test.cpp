// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/tail/change_text.hpp"
#include "replicant/tests/support/transaction_builder.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace replicant;
using namespace replicant::test;

namespace {

relation items(replica_identity identity = replica_identity::primary_key) {
  const auto full = identity == replica_identity::full;
  return {.oid = 1,
          .schema = "shop",
          .name = "items",
          .identity = identity,
          .columns = {{.name = "note", .key = full},
                      {.name = "id", .key = identity != replica_identity::nothing},
                      {.name = "qty", .key = full}}};
}

constexpr text_style plain{.characters = charset::utf8};

/// The entries of a transaction. `keys` replaces what the stream tells of the key.
std::string text_of(const transaction_builder& of, const text_style& style = plain,
                    const key_columns& keys = {}) {
  std::string out;
  const auto txn = of.build();
  for (const auto& one : txn.events()) {
    const auto* row = std::get_if<change>(&one);
    if (row == nullptr)
      append_message_text(out, style, std::get<logical_message>(one));
    else
      REQUIRE(append_change(out, style, *row, keys.empty() ? announced_key(*row->table) : keys));
  }
  return out;
}

transaction_builder build() {
  return transaction_builder{lsn{100}};
}

} // namespace

TEST_CASE("an insert shows the key first and then every column", "[sinks][unit]") {
  CHECK(text_of(build().insert(items(), {text("two words"), text("1"), null_cell})) ==
        "INSERT shop.items  [id=1]  note='two words'  qty=NULL\n");
}

TEST_CASE("an update whose old row is known shows what changed", "[sinks][unit]") {
  const auto full = items(replica_identity::full);
  const key_columns id{false, true, false};
  const auto changed = build().update(full, {text("a"), text("1"), text("4")}, old_image::full,
                                      {text("a"), text("1"), text("3")});
  CHECK(text_of(changed, plain, id) == "UPDATE shop.items  [id=1]  qty=3 -> 4\n");
  // Without a key only the whole row tells which one it is.
  CHECK(text_of(changed) == "UPDATE shop.items  note=a  id=1  qty=3 -> 4\n");

  const auto renamed = build().update(full, {text(""), text("2"), null_cell}, old_image::full,
                                      {null_cell, text("1"), text("NULL")});
  CHECK(text_of(renamed, plain, id) ==
        "UPDATE shop.items  [id=1 -> 2]  note=NULL -> ''  qty='NULL' -> NULL\n");
}

TEST_CASE("an update of a toasted row compares only what was sent", "[sinks][unit]") {
  const auto full = items(replica_identity::full);
  const auto one = build().update(full, {unchanged_cell, text("1"), text("4")}, old_image::full,
                                  {text("long"), text("1"), text("3")});
  CHECK(text_of(one, plain, {false, true, false}) == "UPDATE shop.items  [id=1]  qty=3 -> 4\n");
  CHECK(text_of(one) == "UPDATE shop.items  note=long  id=1  qty=3 -> 4\n");
}

TEST_CASE("an update whose old row is not known shows all that was sent", "[sinks][unit]") {
  CHECK(text_of(build().update(items(), {unchanged_cell, text("1"), text("4")})) ==
        "UPDATE shop.items  [id=1]  note=(unchanged)  qty=4\n");
  CHECK(text_of(build().update(items(), {text("x"), text("2"), text("4")}, old_image::key,
                               {null_cell, text("1"), null_cell})) ==
        "UPDATE shop.items  [id=1 -> 2]  note=x  qty=4\n");
  CHECK(
    text_of(build().update(items(replica_identity::nothing), {text("x"), text("2"), text("4")})) ==
    "UPDATE shop.items  note=x  id=2  qty=4\n");
}

TEST_CASE("an update that changed nothing still says which row", "[sinks][unit]") {
  const auto full = items(replica_identity::full);
  const auto idle = build().update(full, {text("a"), text("1"), text("3")}, old_image::full,
                                   {text("a"), text("1"), text("3")});
  CHECK(text_of(idle, plain, {false, true, false}) == "UPDATE shop.items  [id=1]\n");
}

TEST_CASE("a delete shows the key, or the old row where it is known", "[sinks][unit]") {
  CHECK(text_of(build().remove(items(), old_image::key, {null_cell, text("1"), null_cell})) ==
        "DELETE shop.items  [id=1]\n");
  const auto full = items(replica_identity::full);
  CHECK(text_of(build().remove(full, old_image::full, {text("a"), text("1"), null_cell}), plain,
                {false, true, false}) == "DELETE shop.items  [id=1]  note=a  qty=NULL\n");
}

TEST_CASE("a truncate shows its options", "[sinks][unit]") {
  CHECK(text_of(build().truncate(items(), false, false)) == "TRUNCATE shop.items\n");
  CHECK(text_of(build().truncate(items(), true, true)) ==
        "TRUNCATE shop.items  cascade  restart identity\n");
}

TEST_CASE("a message shows its prefix and its content", "[sinks][unit]") {
  CHECK(text_of(build().message(lsn{0x90}, "mail", "it's\n")) == "MESSAGE mail  E'it''s\\n'\n");
  std::string alone;
  append_message_text(alone, plain, {.at = lsn{0x90}, .prefix = "a b", .content = ""});
  CHECK(alone == "MESSAGE \"a b\"  ''  (outside of transactions, 0/90)\n");
}

TEST_CASE("names and values that would move the cursor or forge a line do not", "[sinks][unit]") {
  relation table{
    .oid = 1, .schema = "s\x1b[2J", .name = "t\nINSERT", .columns = {{.name = "c\r", .key = true}}};
  CHECK(text_of(build().insert(table, {text("\x1b]0;x\a\nDELETE s.t  [id=1]")})) ==
        R"(INSERT E"s\x1b[2J".E"t\nINSERT"  [E"c\r"=E'\x1b]0;x\x07\nDELETE s.t  [id=1]'])"
        "\n");
}

TEST_CASE("on a terminal an entry flows over indented lines and long values are cut",
          "[sinks][unit]") {
  constexpr text_style narrow{.characters = charset::utf8, .width = 44};
  const std::string forty(40, 'x');
  CHECK(text_of(build().insert(items(), {text("short"), text("1"), text("abc def")}), narrow) ==
        "INSERT shop.items  [id=1]  note=short\n"
        "    qty='abc def'\n");
  CHECK(text_of(build().insert(items(), {text(forty), text("1"), null_cell}), narrow) ==
        "INSERT shop.items  [id=1]\n"
        "    note=" +
          std::string(32, 'x') + "\u2026\n    qty=NULL\n");
  // No terminal: nothing is cut.
  CHECK(text_of(build().insert(items(), {text(forty), text("1"), null_cell})) ==
        "INSERT shop.items  [id=1]  note=" + forty + "  qty=NULL\n");
}

TEST_CASE("of two long values each keeps its share", "[sinks][unit]") {
  constexpr text_style narrow{.characters = charset::utf8, .width = 44};
  const auto full = items(replica_identity::full);
  const auto with = [&](std::size_t old, std::size_t fresh) {
    return text_of(build().update(full, {text(std::string(fresh, 'n')), text("1"), text("1")},
                                  old_image::full,
                                  {text(std::string(old, 'o')), text("1"), text("1")}),
                   narrow, {false, true, false});
  };
  const std::string start = "UPDATE shop.items  [id=1]\n    note=";
  CHECK(with(40, 40) ==
        start + std::string(13, 'o') + "\u2026 -> " + std::string(14, 'n') + "\u2026\n");
  CHECK(with(2, 40) == start + "oo -> " + std::string(26, 'n') + "\u2026\n");
  CHECK(with(40, 2) == start + std::string(26, 'o') + "\u2026 -> nn\n");
}

TEST_CASE("colours surround texts and change nothing else", "[sinks][unit]") {
  constexpr text_style coloured{.characters = charset::utf8, .coloured = true};
  auto shown = text_of(build().insert(items(), {text("x"), text("1"), null_cell}), coloured);
  CHECK(shown.starts_with("\x1b[32mINSERT\x1b[0m "));
  for (auto at = shown.find('\x1b'); at != std::string::npos; at = shown.find('\x1b'))
    shown.erase(at, shown.find('m', at) - at + 1);
  CHECK(shown == "INSERT shop.items  [id=1]  note=x  qty=NULL\n");
}

TEST_CASE("a row that does not fit its table is refused", "[sinks][unit]") {
  const auto refusal = [](const transaction_builder& of) {
    std::string out;
    const auto txn = of.build();
    const auto done =
      append_change(out, plain, std::get<change>(*txn.events().begin()), announced_key(items()));
    REQUIRE_FALSE(done);
    CHECK(done.error().relation == 1);
    return done.error().why;
  };
  CHECK(refusal(build().insert(items(), {text("x"), text("1")})) == reason::decode_failure);
  CHECK(refusal(build().insert(items(), {text("x"), {cell_kind::binary, "1"}, text("1")})) ==
        reason::decode_failure);
  CHECK(refusal(build().remove(items(), old_image::key, {text("1")})) == reason::decode_failure);
}
