-- Mail that leaves us. A row is added in the transaction of what it is about, and a job sends it afterwards, once.
create table notice_mail (
  id uuid primary key,
  realm_id text not null,
  kind text not null,
  recipient text not null,
  params jsonb not null,
  -- sending: taken by a worker; one that stays so was in the hands of a process that died. in_doubt: the mail server may
  -- have it. Neither is sent again: two of the same are worse than none.
  state text not null check (state in ('queued', 'sending', 'sent', 'refused', 'in_doubt')),
  cause text,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index notice_mail_of on notice_mail (realm_id, kind, recipient, created_at);
