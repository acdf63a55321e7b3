-- One uploaded file. The file itself is in the object store under object_key.
create table upload (
  realm_id text not null references company (realm_id),
  id uuid not null,
  file_name text not null,
  sha256 text not null,
  object_key text not null,
  size_bytes bigint not null,
  data_rows int not null,
  -- Who sent it, whatever e-mail they have now. The e-mail that they had then stays beside it, for uploads whose user is
  -- not known any more: it says nothing of who has it today.
  uploaded_by text not null,
  uploaded_by_id uuid references app_user (id) on delete set null,
  uploaded_at timestamptz not null,
  -- A file may be checked first and posted later, exactly as it was checked.
  phase text not null default 'post' check (phase in ('check', 'post')),
  -- 'invoice': an invoice is posted completely or not at all. 'file': all of the file or nothing of it.
  mode text not null default 'invoice' check (mode in ('invoice', 'file')),
  planned boolean not null default false,
  -- Remarks on the whole file, as facts: ignored columns, hidden rows.
  notes jsonb not null default '[]',
  -- What the list shows, as facts, so that reading it costs the same however long the upload is.
  summary jsonb not null,
  -- When the file was removed because of its age; the upload and its ledger stay.
  file_removed_at timestamptz,
  -- The upload whose problem rows this one brings, corrected.
  fixes uuid,
  primary key (realm_id, id)
);
create index upload_fixes on upload (realm_id, fixes) where fixes is not null;
create index upload_newest on upload (realm_id, phase, uploaded_at desc, id);
create index upload_same_file on upload (realm_id, sha256);
create index upload_file on upload (object_key) where file_removed_at is null;
create index upload_file_age on upload (uploaded_at) where file_removed_at is null;
-- Old checks are looked for once a day.
create index upload_checks on upload (uploaded_at) where phase = 'check';

-- What a check found and what had changed in the books when it was to be posted, as facts.
create table upload_check (
  realm_id text not null,
  upload_id uuid not null,
  -- How often it has found something else; who asks to post it names the revision that was seen.
  revision integer not null default 0,
  -- Somebody asked to post it: the same check is made once more, and then posted.
  confirmed boolean not null default false,
  -- Uploads whose equal invoices it left out, and those whose equal invoices it no longer leaves out.
  duplicates_shown uuid[] not null default '{}',
  duplicates_allowed uuid[] not null default '{}',
  report jsonb,
  changes jsonb not null default '[]',
  -- Cells that users corrected in the review; the stored file stays as it came.
  corrections jsonb not null default '[]',
  -- Of the file alone, once `upload.sha256` names the corrections too.
  file_sha256 text,
  primary key (realm_id, upload_id),
  foreign key (realm_id, upload_id) references upload (realm_id, id) on delete cascade
);

-- The invoice as the sheet has it, written once by the plan; its writes hold the outcome.
create table upload_invoice (
  realm_id text not null,
  upload_id uuid not null,
  invoice_key text not null,
  seq int not null,
  row_numbers int[] not null,
  -- Row of each line; null where each row is one line.
  line_rows int[],
  doc_number text,
  customer_name text not null,
  amount_cents bigint,
  -- Tax as the file has it, compared with what QuickBooks computed.
  tax_cents bigint,
  currency text,
  draft jsonb,
  -- What was understood of an invoice that can't be posted as it is: its dates and lines, for those who correct it.
  read jsonb,
  -- Names what the draft says, whatever its number; null when there is nothing to send.
  fingerprint text,
  problems jsonb not null default '[]',
  verdict text not null check (verdict in ('ready', 'rejected', 'skipped', 'stopped')),
  -- Why the plan skipped it or holds it back.
  cause jsonb,
  primary key (realm_id, upload_id, invoice_key),
  foreign key (realm_id, upload_id) references upload (realm_id, id) on delete cascade
);
create index upload_invoice_order on upload_invoice (realm_id, upload_id, seq);
create index upload_invoice_fingerprint on upload_invoice (realm_id, fingerprint) where fingerprint is not null;
-- A check looks for invoices alike among all the company ever posted, and may not cost more as history grows.
create index upload_invoice_looks on upload_invoice (realm_id, amount_cents, (draft ->> 'TxnDate')) where fingerprint is not null;

-- What became of each invoice: the verdict of its plan, then its create, then the last undo that dealt with it.
-- The create and the undo of each invoice are looked up by their complete key. An upload that PostgreSQL has not counted
-- yet, its statistics take for one invoice: joined, each of its 10,000 was compared with each, for half a minute. "limit 1"
-- keeps the planner from a join; there is never more than one create.
create view ledger_entry as
select i.realm_id, i.upload_id, i.invoice_key, i.seq, i.row_numbers, i.doc_number, i.customer_name, i.amount_cents,
  i.currency, i.draft, i.fingerprint, i.problems,
  case
    when i.verdict <> 'ready' then i.verdict
    when c.state is null or c.state = 'planned' then 'ready'
    when c.state = 'sent' then 'sending'
    when c.state = 'refused' and c.cause ->> 'code' = 'not_sent' then 'stopped'
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
  -- Intuit's id of the exchange that it was posted by.
  c.answer ->> 'tid' as posted_tid,
  u.command_id as undo_id,
  u.operation as undo_action,
  -- Why the undo left it, or found it taken out by others: what users are shown, and what the reason counts as.
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
  i.tax_cents
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

-- Raised with every change that a company's list of uploads shows: it is the list's ETag. The state of the list is read
-- at every poll, so no question may cost more as history grows.
create table upload_list (
  realm_id text primary key references company (realm_id),
  version bigint not null,
  total int not null default 0
);
