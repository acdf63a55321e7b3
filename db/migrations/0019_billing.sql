-- The payer of a company, a customer at Stripe. One at a time; earlier ones stay.
create table billing_account (
  realm_id text not null references company (realm_id) on delete cascade,
  -- Also the idempotency key of the customer's creation, so it is stored before.
  id uuid not null,
  payer_id uuid references app_user (id) on delete set null,
  email text not null,
  customer_id text,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (realm_id, id),
  unique (realm_id, customer_id)
);
-- Stripe names the customer only.
create index billing_account_customer on billing_account (customer_id) where customer_id is not null;
create unique index billing_account_open on billing_account (realm_id) where ended_at is null;

-- An attempt to create a subscription, stored before Stripe is called; its id is the idempotency key.
create table subscription_attempt (
  realm_id text not null references company (realm_id) on delete cascade,
  id uuid not null,
  service text not null,
  account_id uuid not null,
  price_id text not null,
  is_trial boolean not null,
  -- open: its outcome is not known yet.
  state text not null check (state in ('open', 'made', 'failed')),
  created_at timestamptz not null,
  primary key (realm_id, id)
);
create unique index subscription_attempt_open on subscription_attempt (realm_id, service) where state = 'open';

-- Subscriptions as Stripe last showed them.
create table subscription (
  realm_id text not null references company (realm_id) on delete cascade,
  id text not null,
  account_id uuid not null,
  service text not null,
  price_id text not null,
  status text not null,
  created_at timestamptz not null,
  period_end timestamptz not null,
  ends_at timestamptz,
  trial_end timestamptz,
  ended_at timestamptz,
  -- Since when a renewal is unpaid.
  unpaid_since timestamptz,
  fetched_at timestamptz not null,
  fetched_by text not null,
  -- Increased with each record: an answer of Stripe is written only if it has not changed during the call.
  version int not null,
  primary key (realm_id, id)
);

-- A company has one trial of each service, forever: the row outlives the company's other rows.
create table service_trial (
  realm_id text not null,
  service text not null,
  started_at timestamptz not null,
  -- When the end was announced, once.
  reminded_at timestamptz,
  primary key (realm_id, service)
);

-- Prices on sale, as Stripe last showed them.
create table service_price (
  id text primary key,
  service text not null,
  product_name text not null,
  product_description text not null,
  cents int not null,
  interval text not null,
  is_active boolean not null,
  fetched_at timestamptz not null
);

-- Events by id only: their subjects are read again, so their order and content do not matter.
create table stripe_event (
  id text primary key,
  type text not null,
  subject_kind text,
  subject_id text,
  created_at timestamptz not null,
  received_at timestamptz not null,
  received_by text not null,
  handled_at timestamptz
);
create index stripe_event_open on stripe_event (received_at) where handled_at is null;

-- Time up to which all events were read.
create table stripe_cursor (
  only_one boolean primary key default true check (only_one),
  read_until timestamptz not null
);
-- By id for Stripe's events. For operators: newest first, and unpaid ones; events newest first, and by their subject.
create index subscription_id on subscription (id);
create index subscription_newest on subscription (created_at desc, id desc);
create index subscription_newest_of on subscription (realm_id, created_at desc, id desc);
create index subscription_unpaid on subscription (created_at desc, id desc) where unpaid_since is not null and ended_at is null;
create index stripe_event_newest on stripe_event (received_at desc, id desc);
create index stripe_event_subject on stripe_event (subject_id);
