-- What a page did in the minutes before an error, without what it says. Removed after 14 days.
create table recording (
  -- Id of the error report that it belongs to.
  id uuid primary key,
  -- Path of the page.
  page text not null,
  release text not null,
  -- User of the session that sent it; null for guests.
  user_email text,
  received_at timestamptz not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  event_count int not null,
  -- A list of rrweb's events in JSON, compressed with gzip.
  events bytea not null
);
create index recording_received on recording (received_at desc, id);
create index recording_user on recording (lower(user_email) text_pattern_ops);
