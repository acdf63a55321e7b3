-- A check looks for invoices alike among all the company ever posted, and may not cost more as history grows.
-- Customers' names stand aside: they may be longer than an index takes.
create index upload_invoice_looks on upload_invoice (realm_id, amount_cents, (draft ->> 'TxnDate'))
  where state = 'posted';
