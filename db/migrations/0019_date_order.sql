-- Whether the day or the month comes first in dates such as 03/04/2026, where a file itself does not tell.
create table date_order_choice (
  realm_id text primary key references company (realm_id) on delete cascade,
  date_order text not null check (date_order in ('mdy', 'dmy')),
  chosen_by text not null,
  chosen_at timestamptz not null
);
