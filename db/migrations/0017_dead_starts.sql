-- Starts that found an upload being worked on by a process that had died. The fence cannot tell them: waiting raises it too.
alter table upload add column dead_starts int not null default 0;
-- Invoices of unknown end are looked for before every check, and are few among all that were ever posted.
create index upload_invoice_unknown on upload_invoice (realm_id, sent_at) where state = 'unknown';
