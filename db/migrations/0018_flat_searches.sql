-- What a check and an upload search for in all the company ever posted, so that neither costs more as history grows.
-- Customers' names stand aside: they may be longer than an index takes.
create index upload_invoice_looks on upload_invoice (realm_id, amount_cents, (draft ->> 'TxnDate'))
  where state = 'posted';
create index upload_invoice_unknown on upload_invoice (realm_id, sent_at desc) where state = 'unknown';
