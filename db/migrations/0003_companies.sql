-- A company file of QuickBooks Online that was connected to us at least once.
create table company (
  realm_id text primary key,
  name text not null,
  admin_email text check (admin_email = lower(admin_email)),
  services text[] not null default '{}',
  contact_email text not null default '',
  ups_account text not null default '',
  attach_pods boolean not null default false,
  invoice_lookback_days int not null default 30 check (invoice_lookback_days between 1 and 90),
  created_at timestamptz not null
);

-- Who may work in a company. Users are named by e-mail, because they may be added before they first sign in.
create table company_member (
  realm_id text not null references company (realm_id) on delete cascade,
  email text not null check (email = lower(email)),
  added_at timestamptz not null,
  primary key (realm_id, email)
);
create index company_member_email on company_member (email);

-- The authorisation of a company at Intuit. One row a company, locked while its tokens are refreshed.
create table intuit_connection (
  realm_id text primary key references company (realm_id) on delete cascade,
  id uuid not null unique,
  -- Of a disconnected company the tokens are gone and the history stays.
  state text not null check (state in ('connected', 'reconnect_needed', 'disconnected')),
  access_token_sealed text not null,
  access_expires_at timestamptz not null,
  refresh_token_sealed text not null,
  connected_by uuid references app_user (id) on delete set null,
  connected_at timestamptz not null,
  updated_at timestamptz not null,
  -- When it was last refreshed, when it ends unless it is refreshed (idle), when it ends in any case (hard), and when its
  -- admin was told. The ends are unknown until the first refresh.
  refreshed_at timestamptz not null default now(),
  idle_ends_at timestamptz,
  hard_ends_at timestamptz,
  end_announced_at timestamptz
);
