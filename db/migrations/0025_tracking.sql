-- Days are texts, YYYY-MM-DD: the time zone of a session must not move them.
--
-- How far a company's invoices and packages are followed. One row for each company that ever had the service.
create table tracking_company (
  realm_id text primary key references company (realm_id) on delete cascade,
  -- By Intuit's clock: changes up to here are known. Null: the invoices of the lookback are read next.
  read_until timestamptz,
  -- Lookback with which they were read, and until when labels made here were matched with them.
  read_days int,
  labels_at timestamptz,
  -- Since when a change of invoices is known but not read, from a webhook; null if none is.
  changed_at timestamptz,
  -- The new invoices that it names, if it names nothing else: those that are known here meanwhile need no read. Else null.
  changed_new text[],
  -- When they are read once more, because an answer may not show the last changes yet.
  repeat_at timestamptz,
  -- After a failure nothing is read before.
  read_after timestamptz,
  -- Reads of QuickBooks are metered: what may be read now, as of a time (rules-reads.ts).
  reads_left real not null,
  reads_at timestamptz not null,
  -- Last that QuickBooks said of its shipping fields; null until it was asked.
  shipping_fields boolean,
  -- When something is due next, and when a user asked for a check last.
  next_at timestamptz,
  asked_at timestamptz,
  -- When its run was last woken for a change, which a pass that runs then may not have seen.
  wake_requested_at timestamptz,
  -- The last problem: {"code", "params"}.
  problem jsonb,
  problem_at timestamptz,
  -- Settings with which invoices were compared last: others may ask for more files.
  settings text not null default '',
  -- By state of packages: the day of the last mail about them, and the newest that it counted. And the end of the last digest.
  mailed jsonb,
  digest_at timestamptz
);

-- An invoice of the lookback, as QuickBooks had it last.
create table tracked_invoice (
  realm_id text not null references tracking_company (realm_id) on delete cascade,
  qbo_id text not null,
  sync_token text not null,
  number text not null,
  customer text not null,
  txn_date text not null,
  ship_date text,
  ship_via text not null,
  tracking_text text not null,
  -- Values by which labels made here find it: its number, and custom fields such as a PO number; folded.
  keys text[] not null,
  -- Names of other carriers whose numbers it carries.
  other_carriers text[] not null default '{}',
  -- ISO code, its shipping amount (0 without one), and whether it is paid at least in part.
  currency text not null default '',
  shipping_cents int not null default 0,
  is_paid boolean not null default false,
  -- Deleted or voided in QuickBooks: nothing is written any more.
  gone boolean not null default false,
  -- Something about it changed since its writes were planned.
  dirty boolean not null default true,
  primary key (realm_id, qbo_id)
);
create index tracked_invoice_dirty on tracked_invoice (realm_id) where dirty;
create index tracked_invoice_keys on tracked_invoice using gin (keys);

-- The proof of delivery of a package of an invoice: requested once it is delivered.
create table tracked_proof (
  realm_id text not null,
  number text not null,
  state text not null default 'waiting' check (state in ('waiting', 'carrier', 'activity', 'gone')),
  requests int not null default 0,
  requested_at timestamptz,
  -- Null when UPS isn't asked any more.
  due_at timestamptz,
  -- The PDF, and UPS's own bytes from which it was made.
  pdf bytea,
  page bytea,
  signature bytea,
  primary key (realm_id, number),
  foreign key (realm_id, number) references package (realm_id, number) on delete cascade
);
create index tracked_proof_due on tracked_proof (realm_id, due_at) where due_at is not null;

create table tracked_invoice_package (
  realm_id text not null,
  qbo_id text not null,
  number text not null,
  seq int not null,
  -- Whether the number is in the invoice's field, or only a label made here says so.
  in_books boolean not null,
  primary key (realm_id, qbo_id, number),
  foreign key (realm_id, qbo_id) references tracked_invoice (realm_id, qbo_id) on delete cascade,
  foreign key (realm_id, number) references package (realm_id, number) on delete cascade
);
create index tracked_invoice_of_package on tracked_invoice_package (realm_id, number);

-- A change of an invoice that we want: shipping fields, a shipping amount, or a proof. Its call is a row of "write", whose part is its id.
create table tracking_write (
  realm_id text not null,
  id uuid not null,
  -- Those planned together: subject and command of their writes.
  batch_id uuid not null,
  qbo_id text not null,
  operation text not null check (operation in ('update', 'freight', 'attach')),
  -- Of an attachment: the packages whose proofs it has, with blanks between.
  number text,
  -- Of an update: the version that it was planned for, and {"ship_date"?, "ship_via"?, "tracking_number"?}; an empty text withdraws what we wrote.
  sync_token text,
  fields jsonb,
  -- Of a shipping amount: {"cents", "instead_of", "currency", "shipments"}; 0 cents withdraw what we wrote.
  freight jsonb,
  -- Of an attachment.
  file_name text,
  size int,
  sha256 bytea,
  -- The file of several packages, until its call is settled: the same bytes must be sent again.
  file bytea,
  planned_at timestamptz not null,
  -- Set with the outcome of its write.
  state text not null default 'open' check (state in ('open', 'done', 'refused', 'unresolved')),
  settled_at timestamptz,
  cause jsonb,
  primary key (realm_id, id),
  foreign key (realm_id, qbo_id) references tracked_invoice (realm_id, qbo_id) on delete cascade
);
create index tracking_write_open on tracking_write (realm_id, batch_id) where state = 'open';
create index tracking_write_of_invoice on tracking_write (realm_id, qbo_id);
-- For operators: proofs attached since a time.
create index tracking_write_attached on tracking_write (settled_at) where state = 'done' and operation = 'attach';

-- Messages of vendors that are stored and answered, and not read yet. A row is removed once it is read.
create table vendor_message (
  vendor text not null check (vendor in ('intuit', 'ups')),
  -- Of its bytes: one that comes again while it waits is stored once.
  digest bytea not null,
  body bytea not null,
  received_at timestamptz not null,
  failures int not null default 0,
  primary key (vendor, digest)
);
