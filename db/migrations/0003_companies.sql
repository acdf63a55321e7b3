-- A company file of QuickBooks Online that was connected to us at least once.
create table company (
  realm_id text primary key,
  name text not null,
  -- The admin is a user. Null: every member is one.
  admin_id uuid references app_user (id),
  contact_email text not null default '',
  ups_account text not null default '',
  attach_pods boolean not null default false,
  invoice_lookback_days int not null default 30 check (invoice_lookback_days between 1 and 90),
  -- Where a company's days begin: an IANA name, as Intuit has it. Los Angeles is Intuit's own until it is read when
  -- connecting.
  time_zone text not null default 'America/Los_Angeles',
  created_at timestamptz not null
);

-- Who may work in a company. A member is a user, whatever e-mail they have now. An invited one is known by e-mail until
-- a user who signs in with it accepts: then the place is theirs, and a later holder of the same e-mail has nothing of it.
create table company_member (
  realm_id text not null references company (realm_id) on delete cascade,
  user_id uuid references app_user (id),
  email text check (email = lower(email)),
  -- Names an invitation in its mail, and who sent it.
  invitation_id uuid unique,
  invited_by uuid references app_user (id),
  added_at timestamptz not null,
  constraint company_member_who check ((user_id is null) <> (email is null)),
  constraint company_member_invitation check ((user_id is null) = (invitation_id is not null))
);
create unique index company_member_user on company_member (realm_id, user_id);
create unique index company_member_invited on company_member (realm_id, email);
create index company_member_email on company_member (email);
create index company_member_companies on company_member (user_id);

-- What a company may use beside uploading invoices: paid, or granted with a reason. Services that ended stay.
create table company_service (
  realm_id text not null references company (realm_id) on delete cascade,
  service text not null,
  state text not null check (state in ('active', 'ended')),
  -- The last moment of an active one; null when it has none.
  until timestamptz,
  source text not null check (source in ('granted', 'subscription')),
  reason text not null,
  -- The renewal of a paid service is overdue: it is still on, until its last moment.
  is_unpaid boolean not null default false,
  changed_at timestamptz not null,
  -- Paid and granted are apart: the end of one is not the end of the other.
  primary key (realm_id, service, source)
);

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
