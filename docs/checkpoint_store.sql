-- The tables of a checkpoint store ([pipeline.checkpoint_store]) and what its role needs, for whoever
-- does not let replicant make them. They may lie in any database of any PostgreSQL server.
--
-- Run it as their owner in that database, with your own names in place of cdc and of the tables; the
-- second table is always named like the first, with _state behind it. Several pipelines may share
-- them. More columns are welcome as long as a row may be written without them. The tests make their
-- store by running this very file.
--
-- Without it the role needs CREATE on the schema for the first start, and the tables are its own:
--   GRANT CREATE ON SCHEMA public TO cdc;

CREATE TABLE public.replicant_checkpoints (
  slot_name text PRIMARY KEY,
  commit_lsn bigint NOT NULL,
  system_identifier text NOT NULL,
  database text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE public.replicant_checkpoints_state (
  slot_name text,
  name text,
  content bytea NOT NULL,
  PRIMARY KEY (slot_name, name)
);
GRANT USAGE ON SCHEMA public TO cdc;
GRANT SELECT, INSERT, UPDATE ON public.replicant_checkpoints TO cdc;
GRANT SELECT, INSERT, UPDATE, DELETE ON public.replicant_checkpoints_state TO cdc;

-- For "replicant checkpoint reset" only:
GRANT DELETE ON public.replicant_checkpoints TO cdc;
