-- What was understood of an invoice that can't be posted as it is: its dates and lines, for those who correct it.
alter table upload_invoice add column read jsonb;
