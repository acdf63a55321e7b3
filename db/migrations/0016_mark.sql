-- Names what an invoice says, whatever its number: an equal one from another file is not posted again without being told.
alter table upload_invoice add column mark text;
create index upload_invoice_mark on upload_invoice (realm_id, mark) where mark is not null;
