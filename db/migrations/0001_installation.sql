-- Whether this database belongs to the demo or to real companies. One row, written at the first start.
create table installation (
  only_one boolean primary key default true check (only_one),
  kind text not null check (kind in ('demo', 'real')),
  -- Names this database, so that its documents are never taken for those of another one.
  id uuid not null default gen_random_uuid()
);

-- A known text sealed with each key that was ever in use: distinguishes a key from another one with its id.
create table sealing_key (
  id text primary key,
  sealed_check text not null
);
