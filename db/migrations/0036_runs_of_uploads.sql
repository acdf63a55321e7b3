-- Uploads and undos are runs: who holds them, since when they wait and how they ended stands there alone.
drop table upload_undo;
drop table worker_process;
drop index upload_unended;
alter table upload
  drop column state,
  drop column reason,
  drop column fence,
  drop column dead_starts,
  drop column behind_undo,
  drop column finished_at;
-- Old checks are looked for once a day.
create index upload_checks on upload (uploaded_at) where phase = 'check';
-- One open run of a kind for each subject.
drop index run_open;
create unique index run_open on run (realm_id, subject, kind) where state in ('queued', 'working', 'waiting');
