-- ISO code of the currency an invoice is billed in; null where the books name none.
alter table upload_invoice add column currency text;
update upload set report = report || '{"currencies": []}' where report is not null;
