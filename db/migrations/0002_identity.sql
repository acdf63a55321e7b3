-- Users who signed in through Intuit, identified by `intuit_sub`; the e-mail is only how other users name
-- them.
create table app_user (
  id uuid primary key,
  intuit_sub text not null unique,
  email text not null check (email = lower(email)),
  first_name text not null,
  last_name text not null,
  groups text[] not null,
  -- The company a user last worked in: a new browser starts with it.
  realm_id text,
  -- Time since when an operator has blocked the user from signing in; null for all others. Blocks the user,
  -- not the e-mail: a new e-mail at Intuit does not lift it.
  blocked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index app_user_email on app_user (email);

-- Browser sessions. Only a hash of the cookie is stored, so that a copy of this table is useless.
create table session (
  id_hash bytea primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  realm_id text,
  -- The browser, in the user's terms: "Firefox on Windows". Empty if unknown.
  device text not null default '',
  created_at timestamptz not null,
  last_seen_at timestamptz not null
);
create index session_of_user on session (user_id);

-- Authorization requests at Intuit's sign-in page: each valid once, for ten minutes, and only in the browser
-- that started it.
create table authorization_request (
  state_hash bytea primary key,
  purpose text not null check (purpose in ('sign-in', 'connect')),
  browser_hash bytea not null,
  user_id uuid references app_user (id) on delete cascade,
  next_path text,
  created_at timestamptz not null
);
-- For operators: newest first, by the beginning of an e-mail or name, and blocked ones.
create index app_user_newest on app_user (created_at desc, id desc);
create index app_user_email_begins on app_user (email text_pattern_ops);
create index app_user_name_begins on app_user (lower(last_name) text_pattern_ops);
create index app_user_blocked on app_user (created_at desc, id desc) where blocked_at is not null;
