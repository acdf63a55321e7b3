-- A check is a row of its own, and what it found, what a list shows of an upload and why the plan holds an invoice back
-- are facts: sentences are made of them where they are shown.
create table upload_check (
  realm_id text not null,
  upload_id uuid not null,
  -- How often it has found something else; who asks to post it names the revision that was seen.
  revision integer not null default 0,
  -- Somebody asked to post it: the same check is made once more, and then posted.
  confirmed boolean not null default false,
  -- Uploads whose equal invoices it left out, and those whose equal invoices it no longer leaves out.
  equal_shown uuid[] not null default '{}',
  equal_waived uuid[] not null default '{}',
  report jsonb,
  changes jsonb not null default '[]',
  primary key (realm_id, upload_id),
  foreign key (realm_id, upload_id) references upload (realm_id, id) on delete cascade
);
alter table upload
  drop column confirmed, drop column report, drop column changes, drop column equal_shown, drop column equal_waived,
  drop column revision;

drop view ledger_entry;
alter table upload_invoice drop column message;
-- Why the plan skipped it or holds it back.
alter table upload_invoice add column cause jsonb;
-- What became of each invoice: the verdict of its plan, then its create, then the last undo that dealt with it.
create view ledger_entry as
select i.realm_id, i.upload_id, i.invoice_key, i.seq, i.row_numbers, i.doc_number, i.customer_name, i.amount_cents,
  i.currency, i.draft, i.fingerprint, i.problems,
  case
    when i.verdict <> 'ready' then i.verdict
    when c.state is null or c.state = 'planned' then 'ready'
    when c.state = 'sent' then 'sending'
    when c.state = 'refused' and c.cause ->> 'code' = 'not_sent' then 'stopped'
    when c.state = 'refused' then 'rejected'
    when c.state = 'unresolved' then 'unknown'
    when u.state = 'sent' then 'undoing'
    when u.state = 'done' or u.cause ->> 'code' in ('voided', 'deleted') then 'undone'
    else 'posted'
  end as state,
  -- Why it is not posted or nobody knows whether it is.
  case when c.state in ('refused', 'unresolved') then c.cause else i.cause end as cause,
  c.vendor_id as qbo_id,
  c.answer -> 'facts' ->> 'qboDocNumber' as qbo_doc_number,
  (c.answer -> 'facts' ->> 'qboTotalCents')::bigint as qbo_total_cents,
  (c.answer -> 'facts' ->> 'qboTaxCents')::bigint as qbo_tax_cents,
  c.answer -> 'facts' ->> 'qboSyncToken' as qbo_sync_token,
  coalesce(c.answer -> 'facts' -> 'differences', '[]') as differences,
  u.command_id as undo_id,
  u.operation as undo_action,
  -- Why the undo left it, or found it taken out by others: what users are shown, and what the reason counts as.
  case when u.state in ('refused', 'unresolved') then u.cause end as undo_cause,
  case
    when u.state = 'unresolved' then 'unclear'
    when u.state <> 'refused' then null
    when u.cause ->> 'code' in ('paid', 'edited', 'voided', 'deleted', 'closed_period') then u.cause ->> 'code'
    when u.cause ->> 'code' = 'closed_books' then 'closed_period'
    else 'refused'
  end as undo_reason,
  case when u.state = 'done' or u.cause ->> 'code' in ('voided', 'deleted') then u.settled_at end as undone_at
from upload_invoice i
left join write c on c.realm_id = i.realm_id and c.subject = i.upload_id and c.part = i.invoice_key
  and c.command_id = i.upload_id
left join lateral (
  select w.state, w.cause, w.command_id, w.operation, w.settled_at from write w
  where w.realm_id = i.realm_id and w.subject = i.upload_id and w.part = i.invoice_key and w.command_id <> i.upload_id
    and w.state <> 'planned' and w.cause ->> 'code' is distinct from 'not_sent'
  order by w.planned_at desc limit 1
) u on c.state = 'done';
