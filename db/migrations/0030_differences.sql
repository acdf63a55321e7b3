-- Differences that the daily comparison found between our records and those of a vendor. One that is no longer found is removed.
create table difference (
  realm_id text not null references company (realm_id) on delete cascade,
  id uuid not null,
  vendor text not null check (vendor in ('ups', 'stripe', 'quickbooks')),
  -- Of our records: a purchase of labels, a subscription, an attached file.
  subject text not null,
  code text not null,
  params jsonb not null,
  found_at timestamptz not null,
  primary key (realm_id, vendor, subject, code),
  unique (realm_id, id)
);
create index difference_newest on difference (found_at desc, id desc);
create index difference_newest_of on difference (realm_id, found_at desc, id desc);
