-- The undo of equal invoices that an upload waits for: while it is open, a wake of the upload costs no call to QuickBooks.
alter table upload add column behind_undo uuid;
