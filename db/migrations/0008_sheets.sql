-- Users' choices for columns and dates apply to one kind of sheet. Field of each column; `ignore` skips the
-- column.
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

-- Whether the day or the month comes first in dates such as 03/04/2026, if the file itself does not show it.
create table date_order_choice (
  realm_id text not null references company (realm_id) on delete cascade,
  kind text not null,
  date_order text not null check (date_order in ('mdy', 'dmy')),
  chosen_by text not null,
  chosen_at timestamptz not null,
  primary key (realm_id, kind)
);
