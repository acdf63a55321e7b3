-- Outgoing mail. A row is added in the transaction of its cause, and a run sends it once afterwards.
create table notice_mail (
  id uuid primary key,
  realm_id text not null,
  kind text not null,
  recipient text not null,
  params jsonb not null,
  -- sending: a worker is sending it. in_doubt: the mail server may have received it, and it is never sent
  -- again, because a duplicate is worse than none. A mail whose worker died is in doubt too.
  state text not null check (state in ('queued', 'sending', 'sent', 'refused', 'in_doubt')),
  cause text,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index notice_mail_of on notice_mail (realm_id, kind, recipient, created_at);
