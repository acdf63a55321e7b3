-- How an invoice is asked for again while nobody knows whether QuickBooks made it.
alter table upload_invoice
  -- Set before it first goes out outside its batch. From then on only its own requestid may be repeated: QuickBooks
  -- keeps no answer for an item that failed, so repeating the batch would make the invoice a second time.
  add column sent_alone_at timestamptz,
  -- Rounds in which it stayed unclear although QuickBooks answered when the books were asked for it.
  add column vain_rounds int not null default 0;
