// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_search.hpp"

#include "replicant/core/values/digits.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace replicant {

namespace {

void append_word(std::string& out, std::string_view word) {
  out += '\'';
  for (const auto c : word) {
    if (c == '\'' || c == '\\')
      out += c;
    out += c;
  }
  out += '\'';
}

/// Appends where a word of a tsvector stands, and how much each place weighs: none, C, B or A.
void append_places(std::string& out, byte_reader& in) {
  const auto count = in.u16();
  if (count > in.left() / 2)
    return in.fail();
  for (std::uint16_t index = 0; index < count; ++index) {
    const unsigned place = in.u16();
    out += index == 0 ? ':' : ',';
    append_decimal(out, place & 0x3FFFU);
    if (const auto weight = place >> 14U; weight != 0)
      out += static_cast<char>('D' - weight);
  }
}

/// What an item of a tsquery is; the operators by PostgreSQL's numbers.
enum class query_part : std::uint8_t {
  word = 0,
  negation = 1,
  conjunction = 2,
  disjunction = 3,
  phrase = 4,
};

/// How tightly a part holds its operands together.
int priority_of(query_part part) {
  switch (part) {
    case query_part::disjunction: return 1;
    case query_part::conjunction: return 2;
    case query_part::phrase: return 3;
    case query_part::negation:
    case query_part::word: break;
  }
  return 4;
}

struct query_item {
  query_part part = query_part::word;
  std::string_view word;    ///< Of a word.
  std::uint8_t weights = 0; ///< Of a word: a bit for each that it may have, A the highest of four.
  bool prefix = false;      ///< Of a word: that longer words match too.
  std::uint16_t distance = 0; ///< Of a phrase.
  std::size_t size = 1;       ///< Items of this one and its operands.
};

/// A tsquery as it is sent: each operator before its operands, the right one before the left.
class query {
public:
  explicit query(byte_reader& in) {
    constexpr std::size_t smallest_item = 2;
    const std::size_t count = in.u32();
    if (count > in.left() / smallest_item)
      in.fail();
    while (items_.size() < count && !in.failed())
      items_.push_back(read_item(in));
    if (!measure())
      in.fail();
  }

  [[nodiscard]] std::size_t size() const { return items_.size(); }

  [[nodiscard]] const query_item& item(std::size_t index) const { return items_[index]; }

  [[nodiscard]] static std::size_t right_of(std::size_t index) { return index + 1; }

  [[nodiscard]] std::size_t left_of(std::size_t index) const {
    return index + 1 + items_[index + 1].size;
  }

private:
  static query_item read_item(byte_reader& in) {
    constexpr std::uint8_t word = 1;
    constexpr std::uint8_t operation = 2;
    query_item item;
    const auto kind = in.u8();
    if (kind == word) {
      item.weights = in.u8();
      item.prefix = in.u8() != 0;
      item.word = in.text();
    } else {
      const auto part = in.u8();
      if (kind != operation || part < 1 || part > 4)
        in.fail();
      item.part = static_cast<query_part>(part);
      if (item.part == query_part::phrase)
        item.distance = in.u16();
    }
    return item;
  }

  /// Finds the size of each item, from the last to the first. @returns whether all is one tree.
  [[nodiscard]] bool measure() {
    for (auto index = items_.size(); index-- > 0;) {
      auto& item = items_[index];
      for (int operands = operands_of(item.part); operands > 0; --operands) {
        if (index + item.size >= items_.size())
          return false;
        item.size += items_[index + item.size].size;
      }
    }
    return items_.empty() || items_[0].size == items_.size();
  }

  [[nodiscard]] static int operands_of(query_part part) {
    return part == query_part::word ? 0 : part == query_part::negation ? 1 : 2;
  }

  std::vector<query_item> items_;
};

void append_query_word(std::string& out, const query_item& item) {
  append_word(out, item.word);
  if (item.weights == 0 && !item.prefix)
    return;
  out += ':';
  if (item.prefix)
    out += '*';
  for (unsigned index = 0; index < 4; ++index)
    if ((item.weights >> (3 - index) & 1U) != 0)
      out += static_cast<char>('A' + index);
}

void append_operator(std::string& out, const query_item& item) {
  if (item.part == query_part::disjunction) {
    out += " | ";
  } else if (item.part == query_part::conjunction) {
    out += " & ";
  } else if (item.distance == 1) {
    out += " <-> ";
  } else {
    out += " <";
    append_decimal(out, item.distance);
    out += "> ";
  }
}

/// What is still to be written, the next last: a stack of our own, because queries nest as deep as
/// they are long.
class query_writer {
public:
  query_writer(std::string& out, const query& from) : out_{out}, query_{from} {}

  void write() {
    push_operand(0, 0, false);
    while (!pending_.empty()) {
      const auto next = pending_.back();
      pending_.pop_back();
      switch (next.what) {
        case step::operand: write_operand(next); break;
        case step::sign: append_operator(out_, query_.item(next.item)); break;
        case step::close: out_ += " )"; break;
      }
    }
  }

private:
  struct step {
    enum kind : std::uint8_t {
      operand,
      sign,
      close,
    };

    kind what;
    std::size_t item = 0;
    int outer_priority = 0;
    bool right_of_phrase = false;
  };

  void push_operand(std::size_t item, int outer_priority, bool right_of_phrase) {
    pending_.push_back({step::operand, item, outer_priority, right_of_phrase});
  }

  void write_operand(const step& next) {
    const auto& item = query_.item(next.item);
    if (item.part == query_part::word)
      return append_query_word(out_, item);
    const auto priority = priority_of(item.part);
    const auto is_phrase = item.part == query_part::phrase;
    // A phrase that follows another means something else without them.
    if (priority < next.outer_priority || (is_phrase && next.right_of_phrase)) {
      out_ += "( ";
      pending_.push_back({step::close});
    }
    push_operand(query::right_of(next.item), priority, is_phrase);
    if (item.part == query_part::negation) {
      out_ += '!';
      return;
    }
    pending_.push_back({step::sign, next.item});
    push_operand(query_.left_of(next.item), priority, false);
  }

  std::string& out_;
  const query& query_;
  std::vector<step> pending_;
};

} // namespace

void print_tsvector(std::string& out, byte_reader& in) {
  constexpr std::size_t smallest_word = 3;
  const auto count = in.u32();
  if (count > in.left() / smallest_word)
    return in.fail();
  for (std::uint32_t index = 0; index < count; ++index) {
    if (index != 0)
      out += ' ';
    append_word(out, in.text());
    append_places(out, in);
  }
}

void print_tsquery(std::string& out, byte_reader& in) {
  const query from{in};
  if (!in.failed() && from.size() != 0)
    query_writer{out, from}.write();
}

} // namespace replicant
