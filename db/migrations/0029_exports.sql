-- An export of all data of a company, the subject of the run that makes it. Row and file are removed after some days.
create table company_export (
  realm_id text not null references company (realm_id) on delete cascade,
  id uuid not null,
  state text not null check (state in ('making', 'made', 'failed')),
  requested_by text not null,
  requested_at timestamptz not null,
  -- Files of the archive that are written so far.
  files int not null default 0,
  -- Parts in which it is stored.
  parts int not null default 0,
  size_bytes bigint,
  sha256 text,
  -- When it was made, and when it is removed.
  ended_at timestamptz,
  expires_at timestamptz,
  primary key (realm_id, id),
  check ((state = 'making') = (ended_at is null)),
  check ((state = 'made') = (sha256 is not null))
);
-- A company makes one at a time.
create unique index company_export_making on company_export (realm_id) where state = 'making';
create index company_export_expires on company_export (expires_at) where expires_at is not null;
