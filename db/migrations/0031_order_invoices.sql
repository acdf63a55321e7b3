-- What a retailer's names mean in a company's books: its SKUs, its terms, and the retailer itself.
create table order_match (
  realm_id text not null references company (realm_id) on delete cascade,
  partner text not null,
  kind text not null check (kind in ('customer', 'item', 'term', 'class', 'department')),
  -- As the retailer writes it; empty for the retailer itself.
  written text not null,
  target_id text not null,
  target_name text not null,
  chosen_by text not null,
  chosen_at timestamptz not null,
  primary key (realm_id, partner, kind, written)
);

create table order_invoice_settings (
  realm_id text not null references company (realm_id) on delete cascade,
  partner text not null,
  posts_when_shipped boolean not null,
  -- Who turned it on: their name is on the uploads.
  changed_by text not null,
  changed_at timestamptz not null,
  primary key (realm_id, partner)
);

-- The invoice of a shipment, or of all of an order, as its retailer wants them.
create table order_invoice (
  realm_id text not null,
  id uuid not null,
  order_id uuid not null,
  -- The purchase of labels that it bills; null for all of the order.
  shipment_id uuid,
  partner text not null,
  po_number text not null,
  -- linked: a user said that an invoice in the books is the one.
  state text not null check (state in ('draft', 'posting', 'posted', 'linked')),
  -- What it bills: {"lines", "freightCents", "allowanceCents", "totalCents", "shipDate", …}.
  draft jsonb not null,
  -- Why it can't be posted yet: codes.
  waits text[] not null,
  total_cents bigint not null,
  -- Answers of users: {"price": ["1"], "books": "other"}.
  answers jsonb not null default '{}',
  -- An invoice in the books with its PO number, as it is shown: {"id", "number", "totalCents", "date"}.
  theirs jsonb,
  number text,
  -- Uploads that were made of it. The last one has it.
  attempts int not null default 0,
  -- Why the last one didn't post it, or that it was undone, in one sentence.
  problem text not null default '',
  upload_id uuid,
  first_row int,
  qbo_id text,
  qbo_number text,
  qbo_total_cents bigint,
  posted_at timestamptz,
  posted_by text,
  -- When an undo of its upload was requested, until its end is known.
  undo_asked_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, order_id) references retail_order (realm_id, id) on delete cascade,
  check ((state = 'posting') <= (upload_id is not null))
);
create unique index order_invoice_of on order_invoice (realm_id, order_id, (coalesce(shipment_id, order_id)));
create unique index order_invoice_number on order_invoice (realm_id, number) where number is not null;
-- An invoice of the books bills one shipment.
create unique index order_invoice_booked on order_invoice (realm_id, qbo_id) where qbo_id is not null;
create index order_invoice_upload on order_invoice (realm_id, upload_id) where upload_id is not null;
create index order_invoice_posting on order_invoice (realm_id) where state = 'posting' or undo_asked_at is not null;
