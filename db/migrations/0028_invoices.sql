-- The create and the undo of each invoice are looked up by their complete key. An upload that PostgreSQL has not counted
-- yet, its statistics take for one invoice: joined, each of its 10,000 was compared with each, for half a minute. "limit 1"
-- keeps the planner from a join; there is never more than one create. `read` is new, so that nothing reads the invoices twice.
create or replace view ledger_entry as
select i.realm_id, i.upload_id, i.invoice_key, i.seq, i.row_numbers, i.doc_number, i.customer_name, i.amount_cents,
  i.currency, i.draft, i.fingerprint, i.problems,
  case
    when i.verdict <> 'ready' then i.verdict
    when c.state is null or c.state = 'planned' then 'ready'
    when c.state = 'sent' then 'sending'
    when c.state = 'refused' and c.cause ->> 'code' = 'not_sent' then 'stopped'
    when c.state = 'refused' then 'rejected'
    when c.state = 'unresolved' then 'unresolved'
    when u.state = 'sent' then 'undoing'
    when u.state = 'done' or u.cause ->> 'code' in ('voided', 'deleted') then 'undone'
    else 'posted'
  end as state,
  -- Why it is not posted, or why that is unknown.
  case when c.state in ('refused', 'unresolved') then c.cause else i.cause end as cause,
  c.vendor_id as qbo_id,
  c.answer -> 'facts' ->> 'qboDocNumber' as qbo_doc_number,
  (c.answer -> 'facts' ->> 'qboTotalCents')::bigint as qbo_total_cents,
  (c.answer -> 'facts' ->> 'qboTaxCents')::bigint as qbo_tax_cents,
  c.answer -> 'facts' ->> 'qboSyncToken' as qbo_sync_token,
  coalesce(c.answer -> 'facts' -> 'differences', '[]') as differences,
  -- Intuit's id of the exchange that it was posted by.
  c.answer ->> 'tid' as posted_tid,
  u.command_id as undo_id,
  u.operation as undo_action,
  -- Why the undo left it, or found it taken out by others: what users are shown, and what the reason counts as.
  case when u.state in ('refused', 'unresolved') then u.cause end as undo_cause,
  case
    when u.state = 'unresolved' then 'in_doubt'
    when u.state <> 'refused' then null
    when u.cause ->> 'code' in ('paid', 'edited', 'voided', 'deleted', 'closed_period') then u.cause ->> 'code'
    when u.cause ->> 'code' = 'closed_books' then 'closed_period'
    else 'refused'
  end as undo_reason,
  case when u.state = 'done' or u.cause ->> 'code' in ('voided', 'deleted') then u.settled_at end as undone_at,
  i.read,
  i.line_rows,
  i.tax_cents
from upload_invoice i
left join lateral (
  select w.state, w.cause, w.vendor_id, w.answer from write w
  where w.realm_id = i.realm_id and w.subject = i.upload_id and w.part = i.invoice_key and w.command_id = i.upload_id
  limit 1
) c on true
left join lateral (
  select w.state, w.cause, w.command_id, w.operation, w.settled_at from write w
  where c.state = 'done'
    and w.realm_id = i.realm_id and w.subject = i.upload_id and w.part = i.invoice_key and w.command_id <> i.upload_id
    and w.state <> 'planned' and w.cause ->> 'code' is distinct from 'not_sent'
  order by w.planned_at desc limit 1
) u on true;
