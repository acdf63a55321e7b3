-- When an invoice last went out: what was made in the books later was entered by a person.
alter table upload_invoice add column last_sent_at timestamptz;
