-- Whether this database belongs to the demo or to real companies. One row, written at the first start.
create table installation (
  only_one boolean primary key default true check (only_one),
  kind text not null check (kind in ('demo', 'real'))
);
