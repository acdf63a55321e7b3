import { sql, type RawBuilder } from "kysely";
import type { ListName } from "#features/admin/lists/contract.ts";
import type { ListSource, Range, Search } from "#features/admin/lists/types.ts";

const byRequest = ({ text }: Search) => sql`t.request_id = ${text}`;
const byUuid = (column: string, { uuid }: Search) =>
  uuid === null ? [] : [sql`t.${sql.raw(column)} = ${uuid}::uuid`];

/** Subject of runs that have none. */
const NO_SUBJECT = sql.lit("00000000-0000-0000-0000-000000000000");

const companies: ListSource = {
  table: sql`company`,
  at: sql`t.created_at`,
  key: sql`t.realm_id`,
  hasUuids: false,
  hasCompany: true,
  columns: sql`admin.email as admin, i.state as connection, t.created_at,
    array_to_string(array(select distinct service from company_service s where s.realm_id = t.realm_id
      and s.state = 'active' and (s.until is null or s.until > now()) order by service), ', ') as services,
    array_to_string(array(select service from company_service s where s.realm_id = t.realm_id and s.source = 'granted'
      and s.state = 'active' and (s.until is null or s.until > now()) order by service), ', ') as granted,
    (select count(*) from company_member m where m.realm_id = t.realm_id) as members`,
  joins: sql`left join app_user admin on admin.id = t.admin_id left join intuit_connection i on i.realm_id = t.realm_id`,
  filters: {
    attention: [sql`t.realm_id in (select realm_id from intuit_connection where state = 'reconnect_needed')`],
  },
  matches: () => [],
};

const users: ListSource = {
  table: sql`app_user`,
  at: sql`t.created_at`,
  key: sql`t.id`,
  hasUuids: true,
  hasCompany: false,
  columns: sql`t.email, concat_ws(' ', t.first_name, t.last_name) as name, array_to_string(t.groups, ', ') as groups,
    (select count(*) from company_member m where m.user_id = t.id) as companies,
    (select count(*) from session s where s.user_id = t.id) as devices,
    (select max(s.last_seen_at) from session s where s.user_id = t.id) as last_seen_at, t.blocked_at, t.created_at`,
  filters: { attention: [sql`t.blocked_at is not null`] },
  matches: (search) => [
    sql`t.email like ${search.prefixPattern}`,
    sql`lower(t.last_name) like ${search.prefixPattern}`,
    ...byUuid("id", search),
  ],
};

/** Condition: run `r` posts upload `t`. */
const IS_POST_RUN = sql`r.realm_id = t.realm_id and r.subject = t.id and r.kind = 'invoices.post-upload'`;

const uploads: ListSource = {
  table: sql`upload`,
  at: sql`t.uploaded_at`,
  key: sql`t.id`,
  hasUuids: true,
  hasCompany: true,
  columns: sql`t.file_name as file, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), t.uploaded_by) as uploaded_by,
    t.uploaded_at, t.outcome, (t.summary #>> '{invoices,total}')::int as invoices, (t.summary #>> '{invoices,posted}')::int as posted,
    (t.summary #>> '{invoices,undone}')::int as undone, (t.summary #>> '{invoices,skipped}')::int as skipped,
    jsonb_array_length(jsonb_path_query_array(coalesce(ch.corrections, '[]'), '$[*] ? (@.field == "left_out")')) as left_out,
    array_to_string(array(select distinct code from (
      select found ->> 'code' as code from jsonb_path_query(t.summary, '$.results[*].statement.problems[*] ? (@.severity == "error")') found
      union all select found ->> 'code' from jsonb_path_query(t.summary, '$.results[*].statement ? (@.code == "outcome").cause') found
    ) each order by code), ', ') as problems,
    r.state, r.cause`,
  joins: sql`left join app_user u on u.id = t.uploaded_by_id
    left join upload_check ch on ch.realm_id = t.realm_id and ch.upload_id = t.id
    left join lateral (select state, case when state in ('waiting', 'stopped')
        then coalesce(cause #>> '{params,refusal}', cause ->> 'code') end as cause
      from run r where ${IS_POST_RUN} order by requested_at desc limit 1) r on true`,
  filters: {
    stopped: [
      sql`(t.realm_id, t.id) in (select realm_id, subject from run where state = 'stopped' and kind = 'invoices.post-upload')
        and (select r.state from run r where ${IS_POST_RUN} order by r.requested_at desc limit 1) = 'stopped'`,
    ],
    in_part: [sql`t.outcome = 'in_part'`],
    not_posted: [sql`t.outcome = 'not_posted'`],
  },
  matches: (search) => [
    sql`to_tsvector('simple', regexp_replace(t.file_name, '[^[:alnum:]]+', ' ', 'g')) @@ ${beginningsOf(search.text)}`,
    sql`t.uploaded_by_id = any (array(select id from app_user
      where email like ${search.prefixPattern} or lower(last_name) like ${search.prefixPattern} limit ${MAX_USERS}))`,
    ...byUuid("id", search),
  ],
};

/** Whether a time is in a range. */
export const isBetween = (at: RawBuilder<unknown>, { from, until }: Range) =>
  sql`${at} >= ${from} and ${at} < ${until}`;

/** Users that a text may find. */
const MAX_USERS = sql.lit(8);

/** Query for names with words that begin so, in any order; null, which finds nothing, for a text without any. */
const beginningsOf = (text: string) =>
  sql`to_tsquery('simple', regexp_replace(nullif(btrim(regexp_replace(${text}::text, '[^[:alnum:]]+', ' ', 'g')), ''), ' ', ':* & ', 'g') || ':*')`;

/** Names the subject of a run in the words of its company. */
const SUBJECT_NAME = sql`coalesce(case
    when t.kind like 'invoices.%' then (select file_name from upload u where u.realm_id = t.realm_id and u.id = t.subject)
    when t.kind = 'labels.make' then (select file_name from label_upload u where u.realm_id = t.realm_id and u.id = t.subject)
    when t.kind = 'labels.ship' then (select string_agg(distinct s.po_number, ', ') from shipment s
      where s.realm_id = t.realm_id and s.request_id = t.subject)
    when t.kind = 'notices.send-mail' then (select recipient from notice_mail m where m.id = t.subject)
  end, '')`;

const runs: ListSource = {
  table: sql`run`,
  at: sql`t.requested_at`,
  key: sql`t.id`,
  hasUuids: true,
  hasCompany: true,
  columns: sql`t.kind, t.subject, ${SUBJECT_NAME} as about, t.state, t.cause ->> 'code' as cause, t.failures, t.requested_at,
    t.requested_by, t.due_at, t.finished_at, t.request_id`,
  filters: {
    attention: [sql`(t.state = 'stopped' or t.failures > 0)`],
    // Only a waiting one can be started now: the others start by themselves, or stopped.
    waiting: [sql`t.failures > 0 and t.state = 'waiting'`],
  },
  matches: (search) => [
    byRequest(search),
    ...(search.uuid === null ? [] : [sql`t.subject = ${search.uuid}::uuid and t.subject <> ${NO_SUBJECT}`]),
  ],
};

const tracking: ListSource = {
  table: sql`package`,
  at: sql`t.added_at`,
  key: sql`(t.number || ' ' || t.realm_id)`,
  hasUuids: false,
  hasCompany: true,
  columns: sql`t.number, t.state, t.state_at, t.polled_at, t.next_poll_at, t.added_at,
    coalesce((select p.state from tracked_proof p where p.realm_id = t.realm_id and p.number = t.number), 'none') as proof`,
  filters: { attention: [sql`t.state in ('exception', 'returned')`] },
  isWithin: (range) => sql`(t.realm_id, t.number) in (select l.realm_id, l.number from tracking_write w
    join tracked_invoice_package l on l.realm_id = w.realm_id and l.qbo_id = w.qbo_id
      and l.number = any (string_to_array(w.number, ' '))
    where w.state = 'done' and w.operation = 'attach' and ${isBetween(sql`w.settled_at`, range)})`,
  matches: ({ text }) => [sql`t.number = ${text.toUpperCase()}`],
};

const orders: ListSource = {
  table: sql`retail_order`,
  at: sql`t.received_at`,
  key: sql`t.id`,
  hasUuids: true,
  hasCompany: true,
  columns: sql`t.po_number, t.partner as retailer, t.customer_name as customer, t.state, t.received_at,
    (select n.state from order_notice n where n.realm_id = t.realm_id and n.order_id = t.id
      order by n.created_at desc limit 1) as notice`,
  filters: {
    attention: [
      sql`t.waiting_at is not null`,
      sql`(t.realm_id, t.id) in (select realm_id, order_id from order_notice where state = 'rejected')`,
    ],
  },
  matches: ({ text }) => [sql`t.po_number = ${text}`],
};

const differences: ListSource = {
  table: sql`difference`,
  at: sql`t.found_at`,
  key: sql`t.id`,
  hasUuids: true,
  hasCompany: true,
  columns: sql`t.vendor, t.code, t.params::text as params, t.found_at`,
  filters: { attention: [sql`true`] },
  matches: () => [],
};

const labels: ListSource = {
  table: sql`(select realm_id, uploaded_at as at, id, 'gs1' as kind, file_name as source, state,
      coalesce(label_count, 0) as labels, uploaded_by as requested_by from label_upload
    union all select realm_id, requested_at, id, 'ups', po_number, state, jsonb_array_length(cartons), requested_by
      from shipment)`,
  at: sql`t.at`,
  key: sql`t.id`,
  hasUuids: true,
  hasCompany: true,
  columns: sql`t.kind, t.source, t.state, t.labels, t.requested_by, t.at as requested_at`,
  filters: {
    attention: [
      sql`t.kind = 'gs1' and t.state = 'refused'`,
      sql`t.kind = 'ups' and t.state in ('failed', 'asked')`,
    ],
  },
  matches: ({ text }) => [sql`t.kind = 'ups' and t.source = ${text}`],
};

const billing: ListSource = {
  table: sql`subscription`,
  at: sql`t.created_at`,
  key: sql`t.id`,
  hasUuids: false,
  hasCompany: true,
  columns: sql`t.service, t.status, account.email as payer, t.period_end, t.ends_at, t.unpaid_since, t.created_at`,
  joins: sql`join billing_account account on account.realm_id = t.realm_id and account.id = t.account_id`,
  filters: { attention: [sql`t.unpaid_since is not null and t.ended_at is null`] },
  matches: ({ text }) => [sql`t.id = ${text}`],
};

const webhooks: ListSource = {
  table: sql`stripe_event`,
  at: sql`t.received_at`,
  key: sql`t.id`,
  hasUuids: false,
  hasCompany: false,
  columns: sql`t.type, t.subject_id as subject, t.received_by, t.received_at, t.handled_at`,
  // A run takes open events each minute, and those without a subject have nothing to read.
  filters: {
    waiting: [
      sql`t.handled_at is null and t.subject_id is not null and t.received_at < now() - interval '5 minutes'`,
    ],
  },
  matches: ({ text }) => [sql`t.id = ${text}`, sql`t.subject_id = ${text}`],
};

const outgoing: ListSource = {
  table: sql`webhook_message`,
  at: sql`t.created_at`,
  key: sql`t.id`,
  hasUuids: true,
  hasCompany: true,
  columns: sql`t.event, split_part(e.url, '/', 3) as host, t.state, t.attempts, t.answer, t.created_at, t.attempted_at, t.due_at`,
  joins: sql`join webhook_endpoint e on e.realm_id = t.realm_id and e.id = t.endpoint_id`,
  filters: { attention: [sql`t.state = 'failed'`] },
  matches: (search) => byUuid("id", search),
};

const mail: ListSource = {
  table: sql`notice_mail`,
  at: sql`t.created_at`,
  key: sql`t.id`,
  hasUuids: true,
  hasCompany: true,
  columns: sql`t.kind, t.recipient, t.state, t.cause, t.created_at, t.changed_at`,
  filters: { waiting: [sql`t.state in ('refused', 'in_doubt')`] },
  matches: (search) => [sql`t.recipient like ${search.prefixPattern}`, ...byUuid("id", search)],
};

const messages: ListSource = {
  table: sql`contact_message`,
  at: sql`t.sent_at`,
  key: sql`t.id`,
  hasUuids: true,
  hasCompany: false,
  columns: sql`t.name, t.email, t.topic, t.message, t.support_id, t.sent_at`,
  matches: ({ text, prefixPattern }) => [
    sql`lower(t.email) like ${prefixPattern}`,
    sql`t.support_id = ${text}`,
  ],
};

/** Calls of an error that are listed. */
const MAX_CALLS = sql.lit(12);

/** Reports of one cause are one row, which any of them finds. */
const errors: ListSource = {
  table: sql`error_cause`,
  at: sql`t.last_at`,
  key: sql`t.fingerprint`,
  hasUuids: false,
  hasCompany: false,
  columns: sql`latest.title, latest.place, latest.source, latest.release, t.count, t.first_at, t.last_at,
    coalesce(latest.event #>> '{user,email}', latest.event #>> '{user,username}') as user, latest.request_id,
    array_to_string(array(select format('%s (%s:%s:%s)', coalesce(call ->> 'function', '?'), coalesce(call ->> 'filename', '?'),
        coalesce(call ->> 'lineno', '?'), coalesce(call ->> 'colno', '?'))
      from jsonb_array_elements(latest.event #> '{exception,values,-1,stacktrace,frames}') with ordinality found (call, place)
      order by place desc limit ${MAX_CALLS}), chr(10)) as stack`,
  joins: sql`cross join lateral (select * from error_report r where r.fingerprint = t.fingerprint
    order by r.received_at desc limit 1) latest`,
  isWithin: (range) => byReport(isBetween(sql`received_at`, range)),
  matches: ({ text, prefixPattern }) => [
    byReport(sql`request_id = ${text}`),
    byReport(sql`lower(title) like ${prefixPattern}`),
    byReport(sql`lower(event #>> '{user,email}') like ${prefixPattern}`),
  ],
};

const byReport = (condition: RawBuilder<unknown>) =>
  sql`t.fingerprint = any (array(select fingerprint from error_report where ${condition}))`;

const recordings: ListSource = {
  table: sql`recording`,
  at: sql`t.received_at`,
  key: sql`t.id`,
  hasUuids: true,
  hasCompany: false,
  columns: sql`report.title as error, t.page, t.user_email as user, t.started_at, t.ended_at, t.event_count as events, t.release`,
  joins: sql`left join error_report report on report.id = t.id`,
  matches: (search) => [
    sql`lower(t.user_email) like ${search.prefixPattern}`,
    sql`t.id in (select id from error_report where request_id = ${search.text})`,
    ...byUuid("id", search),
  ],
};

const audit: ListSource = {
  table: sql`audit_entry`,
  at: sql`t.at`,
  key: sql`t.id`,
  hasUuids: true,
  hasCompany: true,
  columns: sql`t.at, u.email as user, t.action, t.ids::text as ids, t.before::text as before, t.after::text as after, t.request_id`,
  joins: sql`left join app_user u on u.id = t.user_id`,
  matches: (search) => [
    byRequest(search),
    sql`t.user_id in (select id from app_user where email = ${search.text.toLowerCase()})`,
  ],
};

/** Where the rows of each list are. */
export const LIST_SOURCES: Readonly<Record<ListName, ListSource>> = {
  companies,
  users,
  uploads,
  runs,
  tracking,
  orders,
  differences,
  labels,
  billing,
  webhooks,
  outgoing,
  mail,
  messages,
  errors,
  recordings,
  audit,
};
