-- An invoice found in the books is taken for one of unknown end only where no other of these may be it.
create index upload_invoice_unclear on upload_invoice (realm_id, amount_cents) where state in ('sending', 'unknown');
