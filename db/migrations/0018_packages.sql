-- A package with a UPS number, one row whatever brought it: a label made here, an invoice's field, or both.
create table package (
  realm_id text not null references company (realm_id) on delete cascade,
  number text not null,
  -- What brought it. UPS is asked for labels always, for invoices while the company has the Tracking Service.
  of_label boolean not null default false,
  of_invoice boolean not null default false,
  state text not null default 'unknown',
  state_at timestamptz,
  added_at timestamptz not null,
  -- Newest first, as UPS names them.
  activities jsonb not null default '[]',
  newest_at timestamptz,
  -- The first scan; null until UPS has the package.
  scanned_at timestamptz,
  service text not null default '',
  left_at text not null default '',
  received_by text not null default '',
  -- Day, YYYY-MM-DD: the time zone of a session must not move it.
  scheduled_on text,
  -- Hours of that day, {"from", "until"}, and the last day at an access point; null if UPS names none.
  due_hours jsonb,
  pickup_by text,
  -- {"at", "local_date", "local_time", "place"}
  delivered jsonb,
  polls int not null default 0,
  polled_at timestamptz,
  -- Null when UPS isn't asked any more.
  next_poll_at timestamptz,
  -- Why UPS could not be asked last.
  poll_problem text check (poll_problem in ('ups_auth', 'ups_down')),
  -- End of the push subscription; '-infinity' for a number that UPS refused.
  pushed_until timestamptz,
  -- Id of the sealing key that signed the credential of UPS's events; null where UPS gets tokens for them.
  pushed_key text,
  -- Whether its invoices, or the purchase of its label, have yet to be compared with it.
  invoice_changed boolean not null default false,
  label_changed boolean not null default false,
  primary key (realm_id, number)
);
create index package_due on package (realm_id, next_poll_at) where next_poll_at is not null;
create index package_problem on package (realm_id) where poll_problem is not null;
create index package_invoice_changed on package (realm_id) where invoice_changed;
create index package_label_changed on package (realm_id) where label_changed;
-- Those without events come first, and those whose subscription ends soon.
create index package_events on package (realm_id, (coalesce(pushed_until, '1970-01-01 00:00:00+00'::timestamptz)))
  where next_poll_at is not null and of_invoice;
create index package_number on package (number);
-- For operators: newest first, of a company, and those that need a user.
create index package_newest on package (added_at desc, (number || ' ' || realm_id) desc);
create index package_newest_of on package (realm_id, added_at desc, (number || ' ' || realm_id) desc);
create index package_attention on package (added_at desc, (number || ' ' || realm_id) desc)
  where state in ('exception', 'returned');
