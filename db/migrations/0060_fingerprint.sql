alter table upload_invoice rename column mark to fingerprint;
alter view ledger_entry rename column mark to fingerprint;
alter index upload_invoice_mark rename to upload_invoice_fingerprint;
