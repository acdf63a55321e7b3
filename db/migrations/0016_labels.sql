-- What a company says once about its labels.
create table label_settings (
  realm_id text primary key references company (realm_id) on delete cascade,
  -- Digits of the GS1 company prefix that numbers are given from, and the digit before it.
  prefix text not null check (prefix ~ '^[0-9]{4,12}$'),
  extension smallint not null check (extension between 0 and 9),
  profile text not null,
  -- Of the printer, as its name has it.
  resolution text not null check (resolution in ('203', '300', '600')),
  changed_at timestamptz not null
);

-- Where cartons come from; the first one is meant where a sheet names none.
create table label_ship_from (
  realm_id text not null references company (realm_id) on delete cascade,
  code text not null,
  seq int not null,
  name text not null,
  address1 text not null,
  address2 text not null,
  city text not null,
  state text not null,
  postal_code text not null,
  primary key (realm_id, code)
);

-- The next number of each prefix with each extension digit. It only grows: numbers below it were used, or are lost.
create table label_serial (
  realm_id text not null references company (realm_id),
  prefix text not null,
  extension smallint not null,
  next_serial bigint not null check (next_serial >= 0),
  primary key (realm_id, prefix, extension)
);

-- A sheet that became labels. Equal rows are the same labels again, never new ones.
create table label_upload (
  realm_id text not null references company (realm_id),
  id uuid not null,
  -- Hash of the rows as they were understood, and of the profile.
  fingerprint text not null,
  file_name text not null,
  profile text not null,
  label_count int not null,
  -- Ship-from addresses at that time, by code; the company's first one under ''.
  ship_froms jsonb not null,
  made_by text not null,
  made_at timestamptz not null,
  primary key (realm_id, id),
  unique (realm_id, fingerprint)
);
create index label_upload_newest on label_upload (realm_id, made_at desc, id);

-- A carton and its number. A company never uses a number twice, whatever becomes of the rest.
create table label (
  realm_id text not null,
  sscc text not null check (sscc ~ '^[0-9]{18}$'),
  upload_id uuid not null,
  -- Its place among the labels of the upload, from 1.
  seq int not null,
  prefix text not null,
  po_number text not null,
  mark_for text not null,
  carton int,
  carton_count int,
  -- The row it comes from, checked and in one form.
  content jsonb not null,
  primary key (realm_id, sscc),
  unique (realm_id, upload_id, seq),
  foreign key (realm_id, upload_id) references label_upload (realm_id, id)
);

-- Each time labels were printed: documents that were asked for, from one label to another.
create table label_print (
  realm_id text not null,
  upload_id uuid not null,
  id uuid not null,
  first_seq int not null,
  last_seq int not null,
  printed_by text not null,
  printed_at timestamptz not null,
  primary key (realm_id, upload_id, id, first_seq),
  foreign key (realm_id, upload_id) references label_upload (realm_id, id)
);
