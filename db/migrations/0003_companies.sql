-- A company file of QuickBooks Online that was connected to us at least once.
create table company (
  realm_id text primary key,
  name text not null,
  -- The admin is a user. If null, every member is one.
  admin_id uuid references app_user (id),
  contact_email text not null default '',
  ups_account text not null default '',
  -- Whether UPS accepts the authorization for that account; set by `carrier`.
  ups_state text not null default 'none' check (ups_state in ('none', 'connected', 'reconnect_needed')),
  attach_pods boolean not null default false,
  -- Whether attached proofs go along when QuickBooks mails the invoice, and whether an invoice has one file of all packages.
  pods_on_send boolean not null default false,
  pods_together boolean not null default false,
  -- Since when freight of labels is put on invoices; null while it is not. Labels made before stay as they are.
  freight_since timestamptz,
  invoice_lookback_days int not null default 30 check (invoice_lookback_days between 1 and 90),
  -- Time zone of the company's days: an IANA name from Intuit. Los Angeles, Intuit's own, until it is read
  -- when connecting.
  time_zone text not null default 'America/Los_Angeles',
  created_at timestamptz not null
);

-- Members of a company. A member is a user, whatever their current e-mail. An invited user is identified by
-- e-mail until a user who signs in with it accepts; a later holder of the same e-mail gets no access.
create table company_member (
  realm_id text not null references company (realm_id) on delete cascade,
  user_id uuid references app_user (id),
  email text check (email = lower(email)),
  -- Identifies an invitation in its mail, and its sender.
  invitation_id uuid,
  invited_by uuid references app_user (id),
  added_at timestamptz not null,
  constraint company_member_who check ((user_id is null) <> (email is null)),
  constraint company_member_invitation check ((user_id is null) = (invitation_id is not null))
);
create unique index company_member_user on company_member (realm_id, user_id);
create unique index company_member_invited on company_member (realm_id, email);
create unique index company_member_invited_as on company_member (realm_id, invitation_id);
-- A mail's link names the invitation only.
create index company_member_invitation_id on company_member (invitation_id) where invitation_id is not null;
create index company_member_email on company_member (email);
create index company_member_companies on company_member (user_id);

-- Services of a company besides uploading invoices: paid, or granted with a reason. Ended ones stay.
create table company_service (
  realm_id text not null references company (realm_id) on delete cascade,
  service text not null,
  state text not null check (state in ('active', 'ended')),
  -- Time at which an active service ends; null for no end.
  until timestamptz,
  source text not null check (source in ('granted', 'subscription')),
  reason text not null,
  -- The renewal of a paid service is overdue: it stays on until its end.
  is_unpaid boolean not null default false,
  changed_at timestamptz not null,
  -- Paid and granted services are separate: ending one does not end the other.
  primary key (realm_id, service, source)
);

-- Secrets with which a company's own programs call us. Revoked ones stay, because the audit trail names them.
create table company_key (
  realm_id text not null references company (realm_id) on delete cascade,
  id uuid not null,
  name text not null,
  -- What it may do, at least one: upload, read, orders.
  scopes text[] not null default '{orders}' check (cardinality(scopes) > 0),
  -- SHA-256 of the secret, which is random.
  secret_hash bytea not null,
  -- Last characters of the secret, by which a user recognizes it.
  ending text not null,
  created_at timestamptz not null,
  created_by text not null,
  -- The key opens what is open to this user in any company: nothing in groups while they are blocked, or for none. It stays the
  -- company's when they leave it or are removed, until an admin revokes it.
  maker_id uuid references app_user (id) on delete set null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (realm_id, id),
  unique (realm_id, secret_hash)
);
-- A call names its company by the secret only.
create index company_key_secret on company_key (secret_hash);
create unique index company_key_name on company_key (realm_id, lower(name)) where revoked_at is null;

-- Authorization of a company at Intuit. One row per company, locked while its tokens are refreshed.
create table intuit_connection (
  realm_id text primary key references company (realm_id) on delete cascade,
  id uuid not null,
  -- For a disconnected company, the tokens are gone and the history stays.
  state text not null check (state in ('connected', 'reconnect_needed', 'disconnected')),
  access_token_sealed text not null,
  access_expires_at timestamptz not null,
  refresh_token_sealed text not null,
  connected_by uuid references app_user (id) on delete set null,
  connected_at timestamptz not null,
  updated_at timestamptz not null,
  -- Time of the last refresh, end without a refresh (idle), end in any case (hard), and when the admin was
  -- notified. The ends are unknown until the first refresh.
  refreshed_at timestamptz not null default now(),
  idle_ends_at timestamptz,
  hard_ends_at timestamptz,
  end_announced_at timestamptz
);
-- For operators: newest first, by the beginning of a name, and those to be connected again.
create index company_newest on company (created_at desc, realm_id desc);
create index company_name_begins on company (lower(name) text_pattern_ops);
create index intuit_connection_ended on intuit_connection (realm_id) where state = 'reconnect_needed';

-- Grants under which an operator may open the files of a company. Ended ones stay.
create table support_grant (
  realm_id text not null references company (realm_id) on delete cascade,
  id uuid not null,
  user_id uuid not null references app_user (id),
  reason text not null,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  -- Set when the company's admin ends it before its time.
  ended_at timestamptz,
  primary key (realm_id, id)
);

-- Addresses of a company's own programs, to which its events are posted.
create table webhook_endpoint (
  realm_id text not null references company (realm_id) on delete cascade,
  id uuid not null,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  -- gone: it answered 410. failing: it accepted nothing for days. Both until the admin saves it again.
  state text not null check (state in ('active', 'gone', 'failing')),
  -- Since when it has accepted nothing; null after a success.
  failing_since timestamptz,
  secret_sealed text not null,
  -- Messages are signed with the secret before the last replacement too, until this time.
  old_secret_sealed text,
  old_secret_until timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  primary key (realm_id, id)
);

-- One event for one endpoint, added in the transaction of its cause; a run posts it.
create table webhook_message (
  realm_id text not null,
  id uuid not null,
  endpoint_id uuid not null,
  event text not null,
  data jsonb not null,
  state text not null check (state in ('queued', 'delivered', 'failed')),
  -- Attempts since it was added, or sent again by the admin.
  attempts int not null default 0,
  -- Status of the last answer, or why there was none.
  answer text not null default '',
  created_at timestamptz not null,
  attempted_at timestamptz,
  -- Time of the next attempt; null if there is none.
  due_at timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, endpoint_id) references webhook_endpoint (realm_id, id) on delete cascade
);
create index webhook_message_of on webhook_message (realm_id, endpoint_id, created_at desc);
create index webhook_message_newest_of on webhook_message (realm_id, created_at desc, id desc);
-- For operators: newest first, and failed ones.
create index webhook_message_newest on webhook_message (created_at desc, id desc);
create index webhook_message_failed on webhook_message (created_at desc, id desc) where state = 'failed';
