-- One uploaded file. The file itself is in the object store under object_key.
create table upload (
  realm_id text not null references company (realm_id),
  id uuid not null,
  file_name text not null,
  sha256 text not null,
  object_key text not null,
  size_bytes bigint not null,
  data_rows int not null,
  -- The uploading user, whatever their current e-mail. Their e-mail at that time is also stored, for uploads
  -- whose user is no longer known; it may belong to another user today.
  uploaded_by text not null,
  uploaded_by_id uuid references app_user (id) on delete set null,
  uploaded_at timestamptz not null,
  -- 'checking': to be planned for a review. 'review': a user decides. 'confirmed': to be planned, then posted; an upload
  -- without a review begins here, and a reviewed one goes back to 'review' if its plan has changed. 'posting': its
  -- invoices are planned as writes. Users see the last two as uploads.
  stage text not null check (stage in ('checking', 'review', 'confirmed', 'posting')),
  -- 'orders': written by the product itself, so users' meanings of columns don't concern it.
  source text not null default 'file' check (source in ('file', 'orders')),
  -- 'invoice': an invoice is posted completely or not at all. 'file': the whole file or nothing is posted.
  mode text not null default 'invoice' check (mode in ('invoice', 'file')),
  -- Processes that began to read the file and did not come back from it.
  readings int not null default 0,
  -- Remarks on the whole file, as facts: ignored columns, hidden rows.
  notes jsonb not null default '[]',
  -- Content of the list, as facts, so that reading it costs the same however long the upload is.
  summary jsonb not null,
  -- When the file was removed because of its age; the upload and its ledger stay.
  file_removed_at timestamptz,
  -- The upload whose corrected problem rows this one contains.
  fixes uuid,
  -- What operators filter by. A running upload's summary changes every second and this seldom, so that its indexes stay as they are.
  outcome text not null generated always as (case
    when stage in ('checking', 'review') then 'review'
    when (summary #>> '{counts,open}')::int > 0 then 'open'
    when (summary #>> '{invoices,posted}')::int > 0 then case
      when (summary #>> '{invoices,problems}')::int + (summary #>> '{invoices,unconfirmed}')::int > 0 then 'in_part'
      else 'posted' end
    when (summary #>> '{invoices,undone}')::int > 0 then 'undone'
    else 'not_posted' end) stored,
  -- Whether invoices of it wait for a user. Generated for the same reason.
  waits boolean not null generated always as (
    coalesce((summary #>> '{invoices,problems}')::int + (summary #>> '{invoices,unconfirmed}')::int > 0, false)) stored,
  primary key (realm_id, id)
);
create index upload_waits on upload (realm_id, uploaded_at desc, id) where waits;
create index upload_fixes on upload (realm_id, fixes) where fixes is not null;
create index upload_newest on upload (realm_id, uploaded_at desc, id) where stage in ('confirmed', 'posting');
create index upload_same_file on upload (realm_id, sha256);
create index upload_file on upload (object_key) where file_removed_at is null;
create index upload_file_age on upload (uploaded_at) where file_removed_at is null;
-- Old checks are searched once a day.
create index upload_checks on upload (uploaded_at) where stage in ('checking', 'review');

-- Result of a check and the changes found when it was to be posted, as facts.
create table upload_check (
  realm_id text not null,
  upload_id uuid not null,
  -- Increased whenever its result changes; a request to post names the revision that the user saw.
  revision integer not null default 0,
  -- Uploads whose equal invoices it left out, and those whose equal invoices are now allowed.
  duplicates_shown uuid[] not null default '{}',
  duplicates_allowed uuid[] not null default '{}',
  report jsonb,
  changes jsonb not null default '[]',
  -- Cells that users corrected in the review; the stored file stays unchanged.
  corrections jsonb not null default '[]',
  primary key (realm_id, upload_id),
  foreign key (realm_id, upload_id) references upload (realm_id, id) on delete cascade
);

-- The invoice as in the sheet, written once by the plan; its writes have the outcome.
create table upload_invoice (
  realm_id text not null,
  upload_id uuid not null,
  invoice_key text not null,
  seq int not null,
  row_numbers int[] not null,
  -- Row of each line; null if each row is one line.
  line_rows int[],
  doc_number text,
  customer_name text not null,
  amount_cents bigint,
  -- Tax in the file, compared with the tax computed by QuickBooks.
  tax_cents bigint,
  currency text,
  draft jsonb,
  -- Readable values of an invoice that can't be posted, its dates and lines, for correcting it.
  read jsonb,
  -- Due date by the terms, where the file has terms and no due date.
  terms_due text,
  -- Fingerprint of the draft without its number; null if there is nothing to send.
  fingerprint text,
  -- Fingerprint of what the file says, whatever the books make of it; null if there is nothing to send.
  file_fingerprint text,
  -- As in the file: where the books have no field for it, the draft lacks it.
  po_number text,
  problems jsonb not null default '[]',
  verdict text not null check (verdict in ('ready', 'rejected', 'skipped', 'stopped')),
  -- Why the plan skipped it or held it back.
  cause jsonb,
  primary key (realm_id, upload_id, invoice_key),
  foreign key (realm_id, upload_id) references upload (realm_id, id) on delete cascade
);
create index upload_invoice_order on upload_invoice (realm_id, upload_id, seq);
-- A copy that was left out names the invoice that it was left out for by its upload and first row.
create index upload_invoice_first_row on upload_invoice (realm_id, upload_id, (row_numbers[1]));
create index upload_invoice_fingerprint on upload_invoice (realm_id, fingerprint) where fingerprint is not null;
create index upload_invoice_file_fingerprint on upload_invoice (realm_id, file_fingerprint) where file_fingerprint is not null;
-- A check searches for similar invoices among all that the company ever posted; its cost must not grow with
-- history.
create index upload_invoice_looks on upload_invoice (realm_id, amount_cents, (draft ->> 'TxnDate')) where fingerprint is not null;

-- Outcome of each invoice: the plan's decision, then its create, then the last undo that dealt with it. The
-- create and the undo of each invoice are looked up by their complete key. PostgreSQL assumes one invoice for
-- an upload without statistics: in a join, each of 10,000 was compared with each, for half a minute. "limit
-- 1" keeps the planner from a join; there is never more than one create.
create view ledger_entry as
select i.realm_id, i.upload_id, i.invoice_key, i.seq, i.row_numbers, i.doc_number, i.customer_name, i.amount_cents,
  i.currency, i.draft, i.fingerprint, i.file_fingerprint, i.po_number, i.problems,
  case
    when i.verdict <> 'ready' then i.verdict
    when c.state is null or c.state = 'planned' then 'ready'
    when c.state = 'sent' then 'sending'
    when c.state = 'refused' and c.cause ->> 'code' = 'not_sent' then 'stopped'
    when c.state = 'refused' and c.cause ->> 'code' = 'in_books' then 'skipped'
    when c.state = 'refused' then 'rejected'
    when c.state = 'unresolved' then 'unresolved'
    when u.state = 'sent' then 'undoing'
    when u.state = 'done' or u.cause ->> 'code' in ('voided', 'deleted') then 'undone'
    else 'posted'
  end as state,
  -- Why it is not posted, or why that is unknown.
  case when c.state in ('refused', 'unresolved') then c.cause else i.cause end as cause,
  c.vendor_id as qbo_id,
  c.answer -> 'facts' ->> 'qboDocNumber' as qbo_doc_number,
  (c.answer -> 'facts' ->> 'qboTotalCents')::bigint as qbo_total_cents,
  (c.answer -> 'facts' ->> 'qboTaxCents')::bigint as qbo_tax_cents,
  c.answer -> 'facts' ->> 'qboSyncToken' as qbo_sync_token,
  coalesce(c.answer -> 'facts' -> 'differences', '[]') as differences,
  -- Intuit's id of the call that posted it.
  c.answer ->> 'tid' as posted_tid,
  u.command_id as undo_id,
  u.operation as undo_action,
  -- Why the undo left it, or found that others had removed it: the reason shown to users, and the one that
  -- counts.
  case when u.state in ('refused', 'unresolved') then u.cause end as undo_cause,
  case
    when u.state = 'unresolved' then 'in_doubt'
    when u.state <> 'refused' then null
    when u.cause ->> 'code' in ('paid', 'edited', 'voided', 'deleted', 'closed_period') then u.cause ->> 'code'
    when u.cause ->> 'code' = 'closed_books' then 'closed_period'
    else 'refused'
  end as undo_reason,
  case when u.state = 'done' or u.cause ->> 'code' in ('voided', 'deleted') then u.settled_at end as undone_at,
  i.read,
  i.line_rows,
  i.tax_cents,
  i.terms_due,
  -- As QuickBooks stored it.
  c.answer -> 'facts' ->> 'qboDueDate' as qbo_due_date
from upload_invoice i
left join lateral (
  select w.state, w.cause, w.vendor_id, w.answer from write w
  where w.realm_id = i.realm_id and w.subject = i.upload_id and w.part = i.invoice_key and w.command_id = i.upload_id
  limit 1
) c on true
left join lateral (
  select w.state, w.cause, w.command_id, w.operation, w.settled_at from write w
  where c.state = 'done'
    and w.realm_id = i.realm_id and w.subject = i.upload_id and w.part = i.invoice_key and w.command_id <> i.upload_id
    and w.state <> 'planned' and w.cause ->> 'code' is distinct from 'not_sent'
  order by w.planned_at desc limit 1
) u on true;

-- Increased with every change visible in a company's list of uploads; it is the list's ETag. The state of the
-- list is read at every poll, so no query may cost more as history grows.
create table upload_list (
  realm_id text primary key references company (realm_id),
  version bigint not null,
  total int not null default 0
);
-- For operators: newest first, of a company, by id, by outcome, by the beginning of a word in the file's name and by user; invoices by
-- number, which are also looked up within a company.
create index upload_at on upload (uploaded_at desc, id desc);
create index upload_id on upload (id);
create index upload_at_of on upload (realm_id, uploaded_at desc, id desc);
create index upload_outcome on upload (outcome, uploaded_at desc, id desc) where outcome in ('in_part', 'not_posted');
create index upload_words on upload using gin (to_tsvector('simple', regexp_replace(file_name, '[^[:alnum:]]+', ' ', 'g')));
create index upload_uploader on upload (uploaded_by_id, uploaded_at desc) where uploaded_by_id is not null;
create index upload_invoice_number on upload_invoice (doc_number, realm_id) where doc_number is not null;
