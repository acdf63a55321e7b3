-- Outgoing mail. A row is added in the transaction of its cause, and a run sends it once afterwards.
create table notice_mail (
  realm_id text not null,
  id uuid not null,
  kind text not null,
  recipient text not null,
  params jsonb not null,
  -- sending: a worker is sending it. in_doubt: the mail server may have received it, and only an operator sends
  -- it again, because a duplicate is worse than none. A mail whose worker died is in doubt too.
  state text not null check (state in ('queued', 'sending', 'sent', 'refused', 'in_doubt')),
  cause text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (realm_id, id)
);
create index notice_mail_of on notice_mail (realm_id, kind, recipient, created_at);
-- For operators: newest first, of a company, by id, by the beginning of an address, and unsent ones.
create index notice_mail_newest on notice_mail (created_at desc, id desc);
create index notice_mail_newest_of on notice_mail (realm_id, created_at desc, id desc);
create index notice_mail_id on notice_mail (id);
create index notice_mail_to on notice_mail (recipient text_pattern_ops);
create index notice_mail_attention on notice_mail (created_at desc, id desc) where state in ('refused', 'in_doubt');
