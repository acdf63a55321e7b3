-- One call that changes a vendor's data, stored before anything is sent and driven to one outcome
-- (docs/writes.md). The body stays with the subject: copying it with every update would be most of the bytes
-- written to disk.
create table write (
  realm_id text not null,
  -- Its subject, an upload, and the part of it, an invoice's key.
  subject uuid not null,
  part text not null,
  -- The command behind it: the upload or one of its undos. The request id is derived from company, command
  -- and part.
  command_id uuid not null,
  -- Order within the command.
  seq int not null,
  vendor text not null,
  -- The vendor's name for it: create, void, delete.
  operation text not null,
  request_id text not null,
  -- Fingerprint of everything sent: equal writes are interchangeable.
  fingerprint text not null,
  -- Key by which the vendor itself refuses a duplicate; null without one.
  vendor_key text,
  planned_at timestamptz not null,
  state text not null default 'planned' check (state in ('planned', 'sent', 'done', 'refused', 'unresolved')),
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  -- By the vendor's clock: an object created before or after can't be this one.
  made_from timestamptz,
  made_until timestamptz,
  -- When a sent one is looked up next, and the number of empty searches. When an unresolved one was looked up
  -- for the last time.
  due_at timestamptz,
  rounds int not null default 0,
  vendor_id text,
  answer jsonb,
  cause jsonb,
  settled_at timestamptz,
  primary key (realm_id, subject, part, command_id)
) with (fillfactor = 70);
-- A vendor object belongs to one write, whichever of two transactions comes first. An undo creates nothing.
create unique index write_vendor_id on write (realm_id, vendor, vendor_id) where vendor_id is not null;
-- A company's writes with an unknown outcome.
create index write_in_doubt on write (realm_id, vendor) where state in ('sent', 'unresolved');
