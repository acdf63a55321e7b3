-- One workbook somebody uploaded. The file itself is in the object store under object_key.
create table upload (
  realm_id text not null references company (realm_id),
  id uuid not null,
  file_name text not null,
  sha256 text not null,
  object_key text not null,
  size_bytes bigint not null,
  data_rows int not null,
  uploaded_by text not null,
  uploaded_at timestamptz not null,
  state text not null check (state in ('queued', 'working', 'paused', 'finished', 'stopped')),
  -- Why a paused upload waits or a stopped one ended, as a sentence.
  reason text not null default '',
  -- Raised by whoever starts working on the upload; writes under an older number are refused.
  fence bigint not null default 0,
  planned boolean not null default false,
  -- Remarks on the whole file: ignored columns, hidden rows.
  notes jsonb not null default '[]',
  -- What the list shows, so that reading it costs the same however long the upload is.
  summary jsonb not null,
  finished_at timestamptz,
  primary key (realm_id, id)
);
create index upload_newest on upload (realm_id, uploaded_at desc, id);
create index upload_same_file on upload (realm_id, sha256);

-- The ledger: one row for each invoice of an upload, written before anything is sent.
create table upload_invoice (
  realm_id text not null,
  upload_id uuid not null,
  invoice_key text not null,
  -- Raised when an undo took the invoice out of the books.
  generation int not null default 0,
  seq int not null,
  row_numbers int[] not null,
  doc_number text,
  customer_name text not null,
  amount_cents bigint,
  draft jsonb,
  problems jsonb not null default '[]',
  state text not null check (state in ('ready', 'sending', 'posted', 'rejected', 'skipped', 'unknown', 'stopped')),
  -- requestid of this invoice when it is sent alone.
  request_id text not null,
  -- requestid and bId of the batch it was sent in; both stay, so that the very same batch can be replayed.
  batch_id text,
  batch_item text,
  attempts int not null default 0,
  sent_at timestamptz,
  settled_at timestamptz,
  qbo_id text,
  qbo_doc_number text,
  qbo_total_cents bigint,
  intuit_tid text,
  -- Why it was rejected, skipped or left unknown, as a sentence.
  message text not null default '',
  primary key (realm_id, upload_id, invoice_key, generation),
  foreign key (realm_id, upload_id) references upload (realm_id, id) on delete cascade
);
create index upload_invoice_order on upload_invoice (realm_id, upload_id, seq);
create index upload_invoice_open on upload_invoice (realm_id, upload_id) where state in ('ready', 'sending');
-- An invoice in the books belongs to one ledger row: what was adopted once is never adopted again.
create unique index upload_invoice_books on upload_invoice (realm_id, qbo_id) where qbo_id is not null;

-- Raised with every change a company's list of uploads shows; it is the list's ETag.
create table upload_list (
  realm_id text primary key references company (realm_id),
  version bigint not null
);
