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

-- Each entry of the trail is linked to the one before it of its company: a link holds a hash of the entry and of the link
-- before. Whoever changes, removes or slips in an entry afterwards leaves a link that does not fit.
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

-- What the hash is made of. The verification has the same in src/features/audit/store-links.ts, on purpose: a changed
-- function here does not change what is verified there.
create function audit_digest(entry audit_entry) returns bytea language sql as $$
  select sha256(convert_to(jsonb_build_array(entry.realm_id, (extract(epoch from entry.at) * 1000000)::bigint, entry.id,
    entry.user_id, entry.action, entry.ids, entry.before, entry.after, entry.request_id)::text, 'UTF8'))
$$;

create function link_audit_entry() returns trigger language plpgsql as $$
declare
  latest audit_link;
begin
  -- One at a time for each company, from here to the commit.
  perform pg_advisory_xact_lock(hashtextextended('audit ' || new.realm_id, 0));
  select * into latest from audit_link where realm_id = new.realm_id order by seq desc limit 1;
  insert into audit_link (realm_id, seq, at, id, hash) values (new.realm_id, coalesce(latest.seq, 0) + 1, new.at, new.id,
    sha256(coalesce(latest.hash, '') || audit_digest(new)));
  return null;
end $$;

-- At the commit: a lock held from the middle of a transaction on could wait for one that waits for it.
create constraint trigger audit_chain after insert on audit_entry
  deferrable initially deferred for each row execute function link_audit_entry();
