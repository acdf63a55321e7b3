-- The authorization of a company at UPS, for one shipper account. One row a company, locked while its tokens are
-- refreshed; it is removed when the company
-- disconnects, and when UPS no longer accepts it. Whether it still works is in `company.ups_state`.
create table carrier_link (
  realm_id text primary key references company (realm_id) on delete cascade,
  id uuid not null,
  account text not null,
  access_token_sealed text not null,
  access_expires_at timestamptz not null,
  refresh_token_sealed text not null,
  -- The end of the authorization unless it is refreshed before.
  refresh_expires_at timestamptz not null,
  linked_by uuid references app_user (id) on delete set null,
  linked_at timestamptz not null,
  refreshed_at timestamptz not null,
  -- When it was used last, up to ten minutes behind.
  used_at timestamptz not null,
  -- Since when UPS refuses to refresh it; it may be wrong for hours.
  refused_at timestamptz,
  -- How often UPS refused it since then. From the second time on, users are notified.
  refusals int not null default 0,
  -- Whether UPS sends the events of all packages of the account, or refused to; null if it was not asked.
  alerts text check (alerts in ('sent', 'refused'))
);

-- Why UPS refuses the client id or the secret of this installation, while it does: one row.
create table carrier_app_fault (
  is_only boolean primary key default true check (is_only),
  code text not null,
  message text not null,
  at timestamptz not null
);
create index carrier_link_idle on carrier_link (refreshed_at);

-- One request for authorization at UPS's sign-in page: good once, for ten minutes, in the session that started it, and
-- for the company and the account that it names.
create table carrier_request (
  realm_id text not null references company (realm_id) on delete cascade,
  state_hash bytea not null,
  session_hash bytea not null,
  user_id uuid not null references app_user (id) on delete cascade,
  account text not null,
  created_at timestamptz not null,
  primary key (realm_id, state_hash)
);
-- UPS's page comes back with the state only.
create index carrier_request_state on carrier_request (state_hash);
