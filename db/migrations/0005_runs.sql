-- Processes that work on runs. One that has not renewed its lease in time is dead, and so is one without a
-- row.
create table run_holder (
  id uuid primary key,
  lease_until timestamptz not null
);

-- Durable work: one row per run, added in the transaction of the data it serves.
create table run (
  -- Empty for a run of the system.
  realm_id text not null,
  id uuid not null,
  -- Identifies its handler.
  kind text not null,
  -- Runs of one lane run one at a time, in the order they were requested.
  lane text not null,
  -- Its subject, for example an upload.
  subject uuid not null,
  state text not null check (state in ('queued', 'working', 'waiting', 'done', 'stopped')),
  -- Why it waits or ended: {"code": …, "params": {…}}, never a sentence.
  cause jsonb,
  -- When it needs a slot, in rotation with the other lanes; null while only an event can wake it.
  due_at timestamptz,
  -- The process that holds it, or held it last.
  holder uuid,
  -- Set until a search has shown what earlier holders did: no process had it before, or another one did.
  needs_reconcile text default 'first' check (needs_reconcile in ('first', 'taken_over')),
  -- Increased each time it is taken; writes with a lower number are refused.
  fence int not null default 0,
  -- Number of processes that died while working on it.
  starts int not null default 0,
  -- Consecutive failures on our side.
  failures int not null default 0,
  requested_by text not null,
  -- User or operator who asked for its end, until it has ended: its work stops at the next step.
  canceled_by text,
  -- Program that added it, as its connection is named: "dockside" and its release.
  added_by text not null default current_setting('application_name'),
  -- Trace and support id of the request that added it; null for a run of the system.
  trace_id text,
  request_id text,
  requested_at timestamptz not null,
  finished_at timestamptz,
  primary key (realm_id, id)
)
-- Each take walks over dead entries of run_due: rows that a queue leaves behind are cleared early, and at full speed.
with (
  autovacuum_vacuum_threshold = 10000,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_cost_delay = 0
);
create index run_subject on run (subject, realm_id, requested_at desc);
-- Few runs are open, however many were ever done; queued ones are found without scanning waiting ones. The condition on
-- due_at keeps searches for the first run of a lane from it.
create index run_due on run (kind, state, due_at) where state in ('queued', 'waiting') and due_at is not null;
create index run_lane on run (lane, requested_at, id) where state in ('queued', 'waiting');
-- Finds the first queued run of each lane without reading the others.
create index run_lane_first on run (kind, lane, requested_at, id) where state = 'queued';
create unique index run_working on run (lane) where state = 'working';
-- At most one open run per kind and subject.
create unique index run_open on run (realm_id, subject, kind) where state in ('queued', 'working', 'waiting');
-- Failures of runs on our side, the last ones of each: where it stopped, in which release.
create table run_failure (
  realm_id text not null,
  run_id uuid not null,
  at timestamptz not null,
  -- How many in a row.
  failures int not null,
  cause text not null,
  message text not null,
  stack text not null,
  worked_by text not null default current_setting('application_name'),
  foreign key (realm_id, run_id) references run (realm_id, id) on delete cascade
);
create index run_failure_of on run_failure (realm_id, run_id, at);
-- For operators: newest first, of a request, and those that failed. A company has few runs: its own are found by the key.
create index run_newest on run (requested_at desc, id desc);
create index run_request on run (request_id) where request_id is not null;
create index run_attention on run (requested_at desc, id desc) where state = 'stopped' or failures > 0;
