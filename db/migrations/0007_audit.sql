-- Who did what, when: one row for each action, never changed. realm_id is '' for what belongs to no company.
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

-- For retention the owner of the table disables it in the transaction that removes what is too old.
create trigger audit_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_audit_change();
