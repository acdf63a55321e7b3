-- What a user said of a column or of dates counts for one kind of sheet. Which column means which field; `ignore` passes
-- the column over.
create table column_choice (
  realm_id text not null references company (realm_id) on delete cascade,
  kind text not null,
  header_key text not null,
  written text not null,
  field text not null,
  chosen_by text not null,
  chosen_at timestamptz not null,
  primary key (realm_id, kind, header_key)
);

-- Whether the day or the month comes first in dates such as 03/04/2026, where a file itself does not show it.
create table date_order_choice (
  realm_id text not null references company (realm_id) on delete cascade,
  kind text not null,
  date_order text not null check (date_order in ('mdy', 'dmy')),
  chosen_by text not null,
  chosen_at timestamptz not null,
  primary key (realm_id, kind)
);
