-- A known text sealed with each key that was ever in use: tells a key from another one that has its id.
create table sealing_key (
  id text primary key,
  sealed_check text not null
);
