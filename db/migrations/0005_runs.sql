-- Processes that work on runs. One that has not renewed its lease in time is dead, and so is one without a row.
create table run_holder (
  id uuid primary key,
  lease_until timestamptz not null
);

-- Durable work: one row for each run, added in the transaction of what it serves.
create table run (
  -- Empty for a run of the system.
  realm_id text not null,
  id uuid not null,
  -- Which handler does it.
  kind text not null,
  -- Runs of one lane go one at a time, the one that was requested first before the others.
  lane text not null,
  -- What it is about, for example an upload.
  subject uuid not null,
  state text not null check (state in ('queued', 'working', 'waiting', 'done', 'stopped')),
  -- Why it waits or ended: {"code": …, "params": {…}}, never a sentence.
  cause jsonb,
  -- When it wants a slot, in turn with the other lanes; null while only an event can wake it.
  due_at timestamptz,
  -- The process that has it, or had it last.
  holder uuid,
  -- Until a search has shown what earlier holders did: it had none before, or another process had it.
  needs_reconcile text default 'first' check (needs_reconcile in ('first', 'taken_over')),
  -- Raised with each take; writes under an older number are refused.
  fence int not null default 0,
  -- How often a process died while working on it.
  starts int not null default 0,
  -- How often in a row it failed on our side.
  failures int not null default 0,
  requested_by text not null,
  requested_at timestamptz not null,
  finished_at timestamptz,
  primary key (realm_id, id)
);
create index run_subject on run (realm_id, subject, requested_at desc);
-- What is open is little, however much was ever done; what is queued is found past all that waits.
create index run_due on run (kind, state, due_at) where state in ('queued', 'waiting');
create index run_lane on run (lane, requested_at, id) where state in ('queued', 'waiting');
create unique index run_working on run (lane) where state = 'working';
-- One open run of a kind for each subject.
create unique index run_open on run (realm_id, subject, kind) where state in ('queued', 'working', 'waiting');
