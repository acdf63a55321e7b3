-- Label settings of a company.
create table label_settings (
  realm_id text primary key references company (realm_id) on delete cascade,
  -- GS1 company prefix for new SSCCs, the extension digit before it, and more prefixes that an upload may
  -- choose.
  prefix text not null check (prefix ~ '^[0-9]{4,12}$'),
  other_prefixes text[] not null default '{}',
  extension smallint not null check (extension between 0 and 9),
  profile text not null,
  resolution text not null check (resolution in ('203', '300', '600')),
  paper text not null check (paper in ('roll', 'letter-2', 'letter-4')),
  print_order text not null check (print_order in ('file', 'po', 'store')),
  separators boolean not null,
  -- Ship-from addresses; the first one is used if a sheet names none.
  ship_froms jsonb not null,
  changed_at timestamptz not null
);

-- High-water mark of each prefix and extension digit: lower serials are assigned or skipped. It only grows.
-- The file promises.jsonl has the same mark for a restored database.
create table label_serial (
  realm_id text not null references company (realm_id),
  prefix text not null,
  extension smallint not null,
  next_serial bigint not null check (next_serial >= 0),
  primary key (realm_id, prefix, extension)
);

-- An uploaded sheet. A run makes its labels, or refuses it.
create table label_upload (
  realm_id text not null references company (realm_id),
  -- Chosen by the page: sending the same id again does not create another upload.
  id uuid not null,
  -- Names the file and is the subject of the run. A refused upload that is sent again gets a new one.
  attempt uuid not null default gen_random_uuid(),
  state text not null check (state in ('queued', 'made', 'refused')),
  file_name text not null,
  uploaded_by text not null,
  uploaded_at timestamptz not null,
  -- Of its file while it is queued, then of its own labels.
  size_bytes bigint not null default 0,
  ended_at timestamptz,
  -- Input of the run besides the file: {"rows", "cells", "choices", "userId", "callId"}; null once it has
  -- ended.
  request jsonb,
  -- Why no labels were made: {"status", "code", "detail"}.
  refusal jsonb,
  -- True once a waiting caller received the refusal: then it is no longer listed.
  refusal_answered boolean not null default false,
  -- The upload that has the labels: this one, or an earlier one with the same rows.
  labels_of uuid,
  -- Hash of the rows and the profile; set, like everything below, for an upload with its own labels.
  fingerprint text,
  label_count int,
  -- The profile and the ship-from addresses at that time, so that a reprint looks like the first print.
  profile jsonb,
  ship_froms jsonb,
  remarks jsonb,
  primary key (realm_id, id),
  unique (realm_id, fingerprint),
  check ((state = 'queued') = (request is not null)),
  check ((state = 'queued') = (ended_at is null)),
  check ((state = 'refused') = (refusal is not null)),
  check ((state = 'made') = (labels_of is not null))
);
create index label_upload_newest on label_upload (realm_id, uploaded_at desc, id);
-- Few uploads are open or due for removal.
create index label_upload_queued on label_upload (realm_id) where state = 'queued';
create index label_upload_refused on label_upload (ended_at) where state = 'refused';

-- A carton or pallet and its SSCC. A company never uses an SSCC twice.
create table label (
  realm_id text not null,
  sscc text not null check (sscc ~ '^[0-9]{18}$'),
  upload_id uuid not null,
  -- Place among the labels of the upload, starting at 1.
  seq int not null,
  prefix text not null,
  po_number text not null,
  mark_for text not null,
  carton int,
  carton_count int,
  -- The checked row.
  content jsonb not null,
  primary key (realm_id, sscc),
  unique (realm_id, upload_id, seq),
  foreign key (realm_id, upload_id) references label_upload (realm_id, id)
);

-- A printed range of labels; one print may have several.
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
-- For operators: newest first, and refused ones.
create index label_upload_at on label_upload (uploaded_at desc, id desc);
create index label_upload_attention on label_upload (uploaded_at desc, id desc) where state = 'refused';
