-- Errors of pages and of the server, without secrets and without what documents contain. Removed after 30 days.
create table error_report (
  -- Chosen by the sender: the same report again changes nothing.
  id uuid primary key,
  source text not null check (source in ('browser', 'server')),
  -- Equal for reports of one cause.
  fingerprint text not null,
  title text not null,
  -- Path of the page, route of the call, or kind of the run.
  place text not null,
  release text not null,
  -- Support id of the call that failed.
  request_id text,
  received_at timestamptz not null,
  -- The event in the format of Sentry's SDKs.
  event jsonb not null
);
-- What operators list: reports are too many to be grouped for each page.
create table error_cause (
  fingerprint text primary key,
  -- Reports that are kept.
  count bigint not null,
  -- Time of the first one ever.
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- When operators were mailed about it.
  mailed_at timestamptz
);
create index error_cause_new on error_cause (fingerprint) where mailed_at is null;
create index error_cause_newest on error_cause (last_at desc, fingerprint desc);
create index error_report_received on error_report (received_at desc, id);
create index error_report_cause on error_report (fingerprint, received_at desc);
create index error_report_request on error_report (request_id) where request_id is not null;
-- For operators: found by how a title or an e-mail begins.
create index error_report_title on error_report (lower(title) text_pattern_ops);
create index error_report_user on error_report (lower(event #>> '{user,email}') text_pattern_ops);
