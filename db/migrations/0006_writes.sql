-- One call that changes a vendor's data, made before anything leaves and driven to one outcome (docs/writes.md).
-- What is sent stays with the subject: a body copied by every update would be most of what is written to disk.
create table write (
  realm_id text not null,
  -- What it is about, an upload, and which part of that, an invoice's key.
  subject uuid not null,
  part text not null,
  -- What asked for it, the upload or one undo of it. The request id is derived from company, command and part.
  command_id uuid not null,
  -- Order within the command.
  seq int not null,
  vendor text not null,
  -- The vendor's word for it: create, void, delete.
  operation text not null,
  request_id text not null,
  -- Names all that is sent: equal ones may stand for each other.
  fingerprint text not null,
  -- Under which the vendor itself refuses a second one; null when it does not.
  vendor_key text,
  planned_at timestamptz not null,
  state text not null default 'planned' check (state in ('planned', 'sent', 'done', 'refused', 'unresolved')),
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  -- When a sent one is looked at again, and how many searches found nothing.
  due_at timestamptz,
  rounds int not null default 0,
  vendor_id text,
  answer jsonb,
  cause jsonb,
  settled_at timestamptz,
  primary key (realm_id, subject, part, command_id)
) with (fillfactor = 70);
-- What the vendor has belongs to one write, whichever of two transactions comes first. An undo makes nothing.
create unique index write_vendor_id on write (realm_id, vendor, vendor_id) where vendor_id is not null;
-- Those of a company whose outcome is unknown.
create index write_in_doubt on write (realm_id, vendor) where state in ('sent', 'unresolved');
