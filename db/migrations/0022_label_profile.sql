-- Label profiles that a company made of those that come with the product.
create table label_profile (
  realm_id text not null references company (realm_id) on delete cascade,
  id uuid not null,
  name text not null,
  -- How often what it prints was changed.
  version int not null,
  content jsonb not null,
  primary key (realm_id, id)
);
create unique index label_profile_name on label_profile (realm_id, lower(name));

-- The profile as it was when labels were made: they are printed again as they were. Null for labels of before, whose
-- profile came with the product.
alter table label_upload add column printed_by jsonb;
