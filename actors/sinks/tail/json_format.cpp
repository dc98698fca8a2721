// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/tail/json_format.hpp"

namespace replicant {

void json_format::header(std::string& out, const session_identity& source) {
  lines_.header(source);
  carry(out);
}

void json_format::gap(std::string& out, const stream_gap& what) {
  out.append(R"({"kind":"gap","after":")").append(to_string(what.after.position()));
  out.append(R"(","resumed":")").append(to_string(what.resumed)).append("\"}\n");
}

void json_format::schema_change(std::string& /*out*/, const replicant::schema_change& what) {
  lines_.announce(what);
}

void json_format::begin(std::string& out, const transaction& txn, const shown_part& /*part*/) {
  lines_.begin(txn);
  carry(out);
}

result<void> json_format::add(std::string& out, const event& one) {
  auto added = lines_.add(one);
  carry(out);
  return added;
}

void json_format::end(std::string& out, const transaction& txn, const shown_part& part) {
  if (part.cut()) {
    out.append(R"({"kind":"cut","xid":)").append(std::to_string(txn.xid));
    out.append(R"(,"commit_lsn":")").append(to_string(txn.commit_lsn));
    out.append(R"(","shown":)").append(std::to_string(part.shown)).append("}\n");
    return;
  }
  lines_.commit();
  carry(out);
}

void json_format::message(std::string& out, const logical_message& one) {
  lines_.message(one);
  carry(out);
}

void json_format::carry(std::string& out) {
  out.append(lines_.pending());
  lines_.taken();
}

} // namespace replicant
