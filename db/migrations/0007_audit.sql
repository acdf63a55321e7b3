-- Audit trail: one row per action, never changed. realm_id is '' for actions without a company.
create table audit_entry (
  realm_id text not null,
  at timestamptz not null,
  id uuid not null,
  -- Null for guests.
  user_id uuid,
  action text not null,
  ids jsonb not null,
  before jsonb,
  after jsonb,
  request_id text not null,
  primary key (realm_id, at, id)
);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'Entries of the audit trail are never changed or removed.';
end $$;

-- For retention the table's owner disables it in the transaction that removes old entries.
create trigger audit_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_audit_change();

-- For operators: newest first, and by request or user.
create index audit_entry_newest on audit_entry (at desc, id desc);
create index audit_entry_newest_of on audit_entry (realm_id, at desc, id desc);
create index audit_entry_request on audit_entry (request_id);
create index audit_entry_user on audit_entry (user_id, at desc);
