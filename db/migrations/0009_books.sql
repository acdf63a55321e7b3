-- Names that users of a company confirmed: which list entry of the books a name in a sheet means.
create table name_choice (
  realm_id text not null references company (realm_id) on delete cascade,
  kind text not null check (kind in ('customer', 'item', 'term', 'class', 'department')),
  -- The name as in sheets, ignoring case and repeated spaces.
  name_key text not null,
  written text not null,
  target_id text not null,
  target_name text not null,
  chosen_by text not null,
  chosen_at timestamptz not null,
  primary key (realm_id, kind, name_key)
);
