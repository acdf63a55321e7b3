-- What QuickBooks answered to a posted invoice, kept to tell a difference from what was sent and a later edit by others.
alter table upload_invoice
  add column qbo_tax_cents bigint,
  add column qbo_sync_token text,
  -- Where the answer differs from what was sent, with both values.
  add column differences jsonb not null default '[]',
  -- The last undo that dealt with this invoice: why it was left or not ours to undo (a code), and a sentence.
  add column undo_id uuid,
  add column undo_action text check (undo_action in ('void', 'delete')),
  add column undo_reason text,
  add column undo_message text not null default '',
  -- requestid and bId of the batch that undoes it; both stay, so that the very same batch can be replayed.
  add column undo_batch_id text,
  add column undo_batch_item text,
  add column undone_at timestamptz,
  drop constraint upload_invoice_state_check,
  add constraint upload_invoice_state_check check (state in
    ('ready', 'sending', 'posted', 'rejected', 'skipped', 'unknown', 'stopped', 'undoing', 'undone'));
create index upload_invoice_undoing on upload_invoice (realm_id, upload_id) where state = 'undoing';

-- One wish to take the invoices of an upload out of the books again.
create table upload_undo (
  realm_id text not null,
  id uuid not null,
  upload_id uuid not null,
  action text not null check (action in ('void', 'delete')),
  state text not null check (state in ('queued', 'working', 'paused', 'finished', 'stopped')),
  -- Why it waits or ended early, as a sentence.
  reason text not null default '',
  requested_by text not null,
  requested_at timestamptz not null,
  finished_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, upload_id) references upload (realm_id, id) on delete cascade
);
create index upload_undo_newest on upload_undo (realm_id, upload_id, requested_at desc);
-- An upload is undone by one job at a time.
create unique index upload_undo_open on upload_undo (realm_id, upload_id) where state in ('queued', 'working', 'paused');
