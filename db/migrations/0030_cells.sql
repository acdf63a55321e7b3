-- Where companies live, in the first database of an installation with several. A company that is not listed is in the first.
create table company_cell (
  realm_id text primary key,
  cell text not null,
  placed_at timestamptz not null
);
