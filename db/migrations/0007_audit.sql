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

-- Chains each entry of the trail to the company's previous one: a link contains a hash of the entry and of
-- the previous link. Changing, removing or inserting an entry afterwards leaves a link that does not match.
create table audit_link (
  realm_id text not null,
  seq bigint not null,
  at timestamptz not null,
  id uuid not null,
  hash bytea not null,
  primary key (realm_id, seq)
);
create trigger audit_link_append_only before update or delete or truncate on audit_link
  for each statement execute function refuse_audit_change();

-- Input of the hash. The verification deliberately repeats it in src/features/audit/store-links.ts, so that
-- changing this function does not change what is verified.
create function audit_digest(entry audit_entry) returns bytea language sql as $$
  select sha256(convert_to(jsonb_build_array(entry.realm_id, (extract(epoch from entry.at) * 1000000)::bigint, entry.id,
    entry.user_id, entry.action, entry.ids, entry.before, entry.after, entry.request_id)::text, 'UTF8'))
$$;

create function link_audit_entry() returns trigger language plpgsql as $$
declare
  latest audit_link;
begin
  -- Serialized per company, from here to the commit.
  perform pg_advisory_xact_lock(hashtextextended('audit ' || new.realm_id, 0));
  select * into latest from audit_link where realm_id = new.realm_id order by seq desc limit 1;
  insert into audit_link (realm_id, seq, at, id, hash) values (new.realm_id, coalesce(latest.seq, 0) + 1, new.at, new.id,
    sha256(coalesce(latest.hash, '') || audit_digest(new)));
  return null;
end $$;

-- Runs at the commit: a lock taken in the middle of a transaction could deadlock.
create constraint trigger audit_chain after insert on audit_entry
  deferrable initially deferred for each row execute function link_audit_entry();
-- For operators: newest first, and by request or user.
create index audit_entry_newest on audit_entry (at desc, id desc);
create index audit_entry_newest_of on audit_entry (realm_id, at desc, id desc);
create index audit_entry_request on audit_entry (request_id);
create index audit_entry_user on audit_entry (user_id, at desc);
