-- A file of orders as it came in, refused ones too.
create table order_document (
  realm_id text not null references company (realm_id) on delete cascade,
  id uuid not null,
  -- The way in.
  channel text not null check (channel in ('file', 'folder', 'api')),
  file_name text not null,
  content bytea not null,
  received_at timestamptz not null,
  received_by text not null,
  -- Result of each of its documents: {"po_number", "result", "problems"}.
  results jsonb not null,
  -- The functional acknowledgments of an X12 file; null for other files.
  reply bytea,
  primary key (realm_id, id)
);
create index order_document_newest on order_document (realm_id, received_at desc);

-- An order of a retailer. Labels and cancellation are decided by its state, under the lock of its row.
create table retail_order (
  realm_id text not null references company (realm_id) on delete cascade,
  id uuid not null,
  -- The retailer, by the name of its file in src/features/orders/partners.
  partner text not null,
  po_number text not null,
  -- The ship-to's number at a retailer that uses one PO number for several stores; empty for others.
  store text not null default '',
  state text not null default 'open' check (state in ('open', 'labelling', 'labelled', 'cancelled')),
  content jsonb not null,
  -- Hash of the order as it came in, which a corrected address does not change.
  fingerprint text not null,
  -- Name of its packing slip for users; unique, because a download is found by it.
  slip_file text not null,
  customer_name text not null,
  -- A user has corrected the address, or used it as it is: UPS is not asked about it.
  is_address_confirmed boolean not null default false,
  received_at timestamptz not null,
  document_id uuid not null,
  -- Who sends to whom in the retailer's X12 files: notices go the other way. Null for an order that came in otherwise.
  trading jsonb,
  cancelled_at timestamptz,
  cancelled_by text,
  cancel_reason text,
  -- The retailer cancelled it while it had labels, and a user confirmed that it shipped all the same.
  cancellation_asked_at timestamptz,
  ship_confirmed_at timestamptz,
  -- Pieces that won't be shipped: [{"line", "quantity", "reason", "by", "at"}].
  line_cancels jsonb not null default '[]',
  -- A different order that came in under this number, and waits for a user.
  waiting jsonb,
  waiting_fingerprint text,
  waiting_at timestamptz,
  primary key (realm_id, id),
  unique (realm_id, partner, po_number, store),
  unique (realm_id, slip_file),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check ((waiting is null) = (waiting_at is null))
);

-- What left of an order at once, under labels that were bought together (shipment_id).
create table order_shipment (
  realm_id text not null,
  shipment_id uuid not null,
  order_id uuid not null,
  -- 1 for the order's first.
  number int not null,
  shipped_at timestamptz not null,
  -- UPS's code.
  service text not null,
  -- [{"trackingNumber", "weightLb", "contents", "isVoided"}]; contents are [{"line", "quantity"}], null if unknown.
  cartons jsonb not null,
  -- All its pieces, whichever carton they are in.
  lines jsonb not null,
  primary key (realm_id, shipment_id),
  foreign key (realm_id, order_id) references retail_order (realm_id, id) on delete cascade,
  unique (realm_id, order_id, number)
);
create index retail_order_listed on retail_order (realm_id, state, received_at, id);
-- For operators: newest first, of a company, by number, and those that wait for a user.
create index retail_order_newest on retail_order (received_at desc, id desc);
create index retail_order_newest_of on retail_order (realm_id, received_at desc, id desc);
create index retail_order_number on retail_order (po_number);
create index retail_order_attention on retail_order (received_at desc, id desc) where waiting_at is not null;
