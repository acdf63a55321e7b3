-- A sheet of which labels are asked for. What became of it is kept for those who ask late; its file, only until then.
create table label_request (
  realm_id text not null references company (realm_id),
  -- Its run's subject, and the name of its file.
  id uuid not null,
  -- Given by whoever asks: the same one again is the same request.
  print_id uuid not null,
  file_name text not null,
  -- Whether rows with errors are left out, what was corrected of the sheet, and how its labels are printed.
  rows text not null check (rows in ('all', 'good')),
  cells jsonb not null,
  choices jsonb not null,
  asked_by text not null,
  asked_at timestamptz not null,
  -- Of the call, for the trail.
  user_id uuid,
  call_id text not null,
  ended_at timestamptz,
  upload_id uuid,
  -- Why no labels were made: {"status": …, "code": …, "detail": …}, as whoever asks is answered.
  refusal jsonb,
  -- Somebody was answered why.
  is_answered boolean not null default false,
  primary key (realm_id, id),
  unique (realm_id, print_id),
  check (ended_at is null or upload_id is null <> (refusal is null))
);
-- Those that are open, and those that ended without anybody seeing it, are few.
create index label_request_listed on label_request (realm_id, asked_at) where upload_id is null and not is_answered;
create index label_request_ended on label_request (ended_at);
-- What became of a printing is asked of its request.
drop index label_print_by_id;
