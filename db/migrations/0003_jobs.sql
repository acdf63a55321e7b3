-- Living worker processes. A job of a process that no longer beats is given to another.
create table worker_process (
  id uuid primary key,
  host text not null,
  pid int not null,
  -- Names under which this process locks jobs.
  locker_ids text[] not null,
  seen_at timestamptz not null default now()
);
