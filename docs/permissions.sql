-- What replicant needs on the source: a role that may log in, replicate and connect. Nothing else: it
-- reads tables only through the stream, and of the catalogs only what everybody may read.
--
-- Run it as a superuser on the source, with your own names in place of cdc and shop. The tests make
-- their role by running this very file. Give the role its password with \password in psql, so that it
-- stands in no file and no log.

CREATE ROLE cdc LOGIN REPLICATION;
GRANT CONNECT ON DATABASE shop TO cdc;

-- The publication belongs to the owner of the tables, who makes it in the database:
--   CREATE PUBLICATION shop_pub FOR TABLE orders, items;
--
-- Amazon RDS and Aurora have no REPLICATION to give; there the first statement becomes
--   CREATE ROLE cdc LOGIN;  GRANT rds_replication TO cdc;
--
-- A checkpoint store ([pipeline.checkpoint_store]) may lie on another server and has a role of its own
-- there: see checkpoint_store.sql.
