-- Settings of a company's UPS labels.
create table shipment_settings (
  realm_id text primary key references company (realm_id) on delete cascade,
  content jsonb not null,
  changed_at timestamptz not null
);

-- A purchase of UPS labels for an order: one shipment, one package a carton. Its call is a row of "write".
create table shipment (
  realm_id text not null,
  id uuid not null,
  order_id uuid not null,
  -- The request that it belongs to: one order, or several at once. Subject of the run and of its writes.
  request_id uuid not null,
  -- Place within the request.
  seq int not null,
  -- Chosen by the page: the same key never buys again.
  key uuid,
  po_number text not null,
  customer_name text not null,
  -- making → made or failed; asked when UPS never answered and no search shows it, until a user says.
  state text not null default 'making' check (state in ('making', 'made', 'failed', 'asked', 'voided')),
  -- Each with its contents, if they are known.
  cartons jsonb not null,
  -- The pieces of the order that it ships: [{"line", "quantity"}].
  lines jsonb not null,
  -- Pieces of the order to cancel once its labels are made: {"lines", "reason"}.
  cancels jsonb,
  -- Of the order's shipments: 1 for the first, or for one that takes the place of a voided first one.
  part int not null,
  -- Hash of the order's SKUs and quantities, blank where not all of it is in the cartons: the next order of the same items is
  -- offered the same cartons.
  items text not null,
  -- The shipment as it is sent to UPS, without tokens.
  body jsonb not null,
  -- The purchase's own reference, on its packages beside the PO number. Those of purchases that UPS can't have made repeat.
  reference text not null,
  -- UPS is asked about the address first.
  checks_address boolean not null,
  -- Null for the company's own account.
  billed_to text,
  requested_at timestamptz not null,
  requested_by text not null,
  -- Why it failed, or why a user is asked: {"code", "params"}.
  cause jsonb,
  -- The shipment at UPS that a user is asked about, as it is shown; kept when the user said that it is something else.
  theirs jsonb,
  -- Numbers that UPS named in answers to the purchase's call, usable or not.
  named text[] not null default '{}',
  -- UPS's number of the shipment, which voids and recoveries ask for.
  number text,
  label_file text,
  made_at timestamptz,
  -- {"total", "currency"}; null when UPS names none.
  charge jsonb,
  -- A void that UPS was asked for and has not confirmed: {"by", "at", "numbers"}.
  void_asked jsonb,
  voided_at timestamptz,
  -- Null of labels that were voided at UPS's own page.
  voided_by text,
  prints int not null default 0,
  -- When UPS was last searched for shipments of the purchase that no purchase here has.
  checked_at timestamptz,
  -- When UPS was searched for a second shipment of the same call.
  searched_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, order_id) references retail_order (realm_id, id) on delete cascade,
  unique (realm_id, label_file),
  check ((number is not null) = (state in ('made', 'voided')))
);
-- At most one purchase of each part of an order is live, and one of an order is under way.
create unique index shipment_live on shipment (realm_id, order_id, part) where state in ('making', 'asked', 'made');
create unique index shipment_under_way on shipment (realm_id, order_id) where state in ('making', 'asked');
create unique index shipment_key on shipment (realm_id, key) where key is not null;
create index shipment_of_order on shipment (realm_id, order_id, requested_at desc);
create index shipment_newest on shipment (realm_id, made_at desc, id) where made_at is not null;
-- Those that UPS is searched for.
create index shipment_checked on shipment (coalesce(checked_at, requested_at)) where state in ('made', 'failed');
create index shipment_voiding on shipment (realm_id) where void_asked is not null;
create index shipment_of_items on shipment (realm_id, items, made_at desc) where state = 'made';
create index shipment_of_request on shipment (realm_id, request_id);

-- A label as UPS made it, in the order of the cartons.
create table shipment_label (
  realm_id text not null,
  shipment_id uuid not null,
  seq int not null,
  tracking_number text not null,
  format text not null check (format in ('GIF', 'PNG', 'ZPL')),
  bytes bytea not null,
  voided_at timestamptz,
  primary key (realm_id, shipment_id, seq),
  foreign key (realm_id, shipment_id) references shipment (realm_id, id) on delete cascade
);
create index shipment_named on shipment using gin (named) where named <> '{}';
-- Numbers are looked up among all companies: some share a UPS account.
create index shipment_label_number_of_all on shipment_label (tracking_number);
create index shipment_label_number on shipment_label (realm_id, tracking_number);
-- For operators: newest first, of a company, by number, and those that failed or wait for a user.
create index shipment_at on shipment (requested_at desc, id desc);
create index shipment_at_of on shipment (realm_id, requested_at desc, id desc);
create index shipment_po on shipment (po_number);
-- What a label at UPS carries may be a purchase of a company that shares the account.
create index shipment_reference on shipment (reference);
create index shipment_attention on shipment (requested_at desc, id desc) where state in ('failed', 'asked');
