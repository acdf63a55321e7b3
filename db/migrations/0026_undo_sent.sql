-- When an invoice last went out to be undone: what was sent long ago is looked for in the books before it is repeated.
alter table upload_invoice add column undo_sent_at timestamptz;
