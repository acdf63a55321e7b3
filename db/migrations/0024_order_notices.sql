-- When notices for retailers leave, and under which name.
create table order_notice_settings (
  realm_id text primary key references company (realm_id) on delete cascade,
  -- HH:MM in the company's time zone.
  cut_off text not null check (cut_off ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- The company's X12 id at the retailer; empty for the one that the retailer's own files name.
  sender_id text not null,
  changed_at timestamptz not null
);

-- Last control number of the notices and acknowledgments for a retailer.
create table order_notice_counter (
  realm_id text not null references company (realm_id) on delete cascade,
  partner text not null,
  last int not null,
  primary key (realm_id, partner)
);

-- A notice for a retailer: an order was cancelled, its cartons have left, or they are invoiced.
create table order_notice (
  realm_id text not null,
  id uuid not null,
  order_id uuid not null,
  kind text not null check (kind in ('cancel', 'ship', 'invoice')),
  -- The purchase of labels that a ship notice is about; of an invoice, null if it is about all of its order.
  shipment_id uuid,
  partner text not null,
  -- An X12 set, or an action of CommerceHub's XML.
  document text not null check (document in ('810', '855', '856', 'v_cancel', 'v_invoice', 'v_ship')),
  po_number text not null,
  -- Of a ship notice, what the order doesn't say: cartons with their numbers and weights, service, ship-from address.
  -- Of a cancellation, the reason, and the pieces if it is not of the whole order ("isWhole"). Of an invoice, the one that
  -- QuickBooks stored, and which attempt to send it this is.
  facts jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'sent', 'accepted', 'rejected', 'withdrawn')),
  created_at timestamptz not null,
  -- It doesn't leave before: the day's cut-off, or the first scan.
  due_at timestamptz not null,
  -- While UPS has not confirmed a void of its labels, it doesn't leave; an invoice not before its ship notices and its check.
  is_held boolean not null default false,
  -- Nobody said what is in which carton, and the retailer wants to know: it doesn't leave.
  needs_contents boolean not null default false,
  -- Both are taken once, right before it leaves for the first time.
  control_number int,
  content bytea,
  -- Since when the retailer may have it.
  tried_at timestamptz,
  sent_at timestamptz,
  -- Of an answer or a withdrawal.
  ended_at timestamptz,
  -- Why the retailer rejects it, or why it can't leave, as sentences.
  problems jsonb not null default '[]',
  primary key (realm_id, id),
  foreign key (realm_id, order_id) references retail_order (realm_id, id) on delete cascade,
  check (kind = 'invoice' or (kind = 'ship') = (shipment_id is not null)),
  -- The content of one that left before the database was restored is not here.
  check (content is null or control_number is not null),
  check (sent_at is null or tried_at is not null)
);
create unique index order_notice_number on order_notice (realm_id, partner, control_number);
create unique index order_notice_shipment on order_notice (realm_id, shipment_id) where kind = 'ship';
-- An invoice is sent once; after the retailer rejected it, it is sent again.
create unique index order_notice_invoice on order_notice (realm_id, (facts -> 'invoice' ->> 'id'))
  where kind = 'invoice' and state not in ('withdrawn', 'rejected');
-- Each pass looks up all documents of an invoice, those that the retailer rejected too.
create index order_notice_of_invoice on order_notice (realm_id, (facts -> 'invoice' ->> 'id')) where kind = 'invoice';
-- A number that a retailer may have is not used again.
create index order_notice_invoice_number on order_notice (realm_id, (facts -> 'invoice' ->> 'number')) where kind = 'invoice';
-- At most one cancellation of an order is under way or known to the retailer.
create unique index order_notice_cancel on order_notice (realm_id, order_id) 
  where kind = 'cancel' and (facts ->> 'isWhole')::boolean and state <> 'withdrawn';
create index order_notice_due on order_notice (realm_id, due_at) where state = 'pending';
create index order_notice_newest on order_notice (realm_id, created_at desc, id);
create index order_notice_of on order_notice (realm_id, order_id, created_at desc);
create index order_notice_rejected on order_notice (realm_id, order_id) where state = 'rejected';

-- A retailer's word about a document of ours, or about a payment: TA1, 812, 820, 824 or 864.
create table order_message (
  realm_id text not null references company (realm_id) on delete cascade,
  id uuid not null,
  -- Null as far as it names none that is here.
  order_id uuid,
  notice_id uuid,
  partner text not null,
  document text not null check (document in ('TA1', '812', '820', '824', '860', '864')),
  -- Its interchange, set and place: the same message is taken once. Of an 860 that isn't used, its file and place.
  source text not null,
  meaning text not null check (meaning in ('refused', 'attention', 'note')),
  -- Sentences for users.
  sentences jsonb not null,
  received_at timestamptz not null,
  primary key (realm_id, id),
  unique (realm_id, partner, source),
  foreign key (realm_id, order_id) references retail_order (realm_id, id) on delete cascade,
  foreign key (realm_id, notice_id) references order_notice (realm_id, id) on delete cascade
);
create index order_message_of on order_message (realm_id, order_id, received_at);
create index order_message_newest on order_message (realm_id, received_at desc, id);
create index order_message_notice on order_message (realm_id, notice_id);
