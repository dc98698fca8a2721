-- What the example writes, in a database of its own choice. The rows and the position that
-- belongs to them stand in one database, so that one transaction can hold both.
CREATE TABLE order_log (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  commit_lsn pg_lsn NOT NULL,
  operation text NOT NULL,
  id bigint,
  amount numeric
);

-- One row for each source. Without a position: the source is known, nothing has come from it yet.
CREATE TABLE order_log_position (
  slot_name text PRIMARY KEY,
  system_identifier text NOT NULL,
  database text NOT NULL,
  position pg_lsn
);
