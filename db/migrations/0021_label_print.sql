-- How a company's labels are printed where nothing else is chosen: on what, in what order, and whether a page is in
-- front of each purchase order or store.
alter table label_settings
  add column paper text not null default 'roll' check (paper in ('roll', 'letter-2', 'letter-4')),
  add column print_order text not null default 'file' check (print_order in ('file', 'po', 'store')),
  add column separators boolean not null default false;
