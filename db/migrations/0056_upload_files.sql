-- When the file of an upload was removed because of its age; the upload and its ledger stay.
alter table upload add column file_removed_at timestamptz;
create index upload_file on upload (object_key) where file_removed_at is null;
create index upload_file_age on upload (uploaded_at) where file_removed_at is null;

-- Names this database, so that its documents are never taken for those of another one.
alter table installation add column id uuid not null default gen_random_uuid();
