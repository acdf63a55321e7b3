import { sql } from "kysely";
import type { TestApp } from "./start-app.ts";

/** First of the times of rows, 2026-01-01; each next row is a second later. */
const AT = sql`(timestamptz '2026-01-01' + n * interval '1 second')`;
const UUID = sql`('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

/**
 * Adds rows to everything that operators list: companies `Company 1` to `Company {companies}` with ids from
 * 8000000000000001, and so many rows of each other list, spread over them.
 */
export async function addAdminRows(
  db: TestApp["db"],
  { companies, rows }: { companies: number; rows: number },
): Promise<void> {
  const realm = sql`(8000000000000001 + n % ${sql.lit(companies)})::text`;
  const add = (table: string, columns: string, values: ReturnType<typeof sql>, count = rows) =>
    sql`insert into ${sql.raw(table)} (${sql.raw(columns)}) select ${values} from generate_series(0, ${count - 1}) n`.execute(
      db,
    );
  await add(
    "company",
    "realm_id, name, created_at",
    sql`(8000000000000001 + n)::text, 'Company ' || (n + 1), ${AT}`,
    companies,
  );
  await add(
    "app_user",
    "id, intuit_sub, email, first_name, last_name, groups, created_at, updated_at",
    sql`${UUID}, 'sub ' || n, 'user' || n || '@many.example', 'User', 'Of' || n, '{app}', ${AT}, ${AT}`,
  );
  const counts = sql`jsonb_build_object('total', 11, 'posted', case when n % 1000 = 7 then 6 else 11 end,
    'problems', case when n % 1000 = 7 then 5 else 0 end, 'unconfirmed', 0, 'skipped', 0, 'undone', 0)`;
  await add(
    "upload",
    "realm_id, id, file_name, sha256, object_key, size_bytes, data_rows, uploaded_by, uploaded_by_id, uploaded_at, summary, stage",
    sql`${realm}, ${UUID}, 'Acme_October-' || n || '.xlsx', '', '', 1, 11, 'user' || n || '@many.example', ${UUID}, ${AT},
      jsonb_build_object('results', '[]'::jsonb, 'result_count', 0, 'counts', '{"open": 0}'::jsonb, 'invoices', ${counts}), 'posting'`,
  );
  await add(
    "run",
    "realm_id, id, kind, lane, subject, state, failures, requested_by, requested_at, finished_at, request_id",
    sql`${realm}, ${UUID}, 'made.kind', 'made', ${UUID}, case when n % 1000 = 7 then 'stopped' else 'done' end, 0, 'made', ${AT}, ${AT},
      'req-' || n`,
  );
  await add(
    "tracking_company",
    "realm_id, reads_left, reads_at",
    sql`(8000000000000001 + n)::text, 0, ${AT}`,
    companies,
  );
  await add(
    "package",
    "realm_id, number, state, added_at",
    sql`${realm}, '1ZMADE' || lpad(n::text, 12, '0'), case when n % 1000 = 7 then 'exception' else 'delivered' end, ${AT}`,
  );
  await add(
    "retail_order",
    "realm_id, id, partner, po_number, content, fingerprint, slip_file, customer_name, received_at, document_id",
    sql`${realm}, ${UUID}, 'made', 'PO-' || n, '{}', '', 'slip-' || n, 'A customer', ${AT}, ${UUID}`,
  );
  await add(
    "difference",
    "id, realm_id, vendor, subject, code, params, found_at",
    sql`${UUID}, ${realm}, 'ups', 'made-' || n, 'unknown_at_ups', '{}', ${AT}`,
  );
  await add(
    "label_upload",
    "realm_id, id, state, file_name, uploaded_by, uploaded_at, ended_at, labels_of, label_count",
    sql`${realm}, ${UUID}, 'made', 'cartons.xlsx', 'made', ${AT}, ${AT}, ${UUID}, 3`,
  );
  await add(
    "shipment",
    "realm_id, id, order_id, request_id, seq, po_number, customer_name, state, cartons, lines, part, items, body, reference, checks_address, requested_at, requested_by",
    sql`${realm}, ('00000000-0000-4000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, ${UUID}, ${UUID}, 1, 'PO-' || n, 'A customer', 'failed', '[{}]', '[]', 1, 'items', '{}', 'reference', false, ${AT},
      'made'`,
  );
  await add(
    "billing_account",
    "realm_id, id, email, created_at",
    sql`(8000000000000001 + n)::text, ${UUID}, 'payer@many.example', ${AT}`,
    companies,
  );
  await add(
    "subscription",
    "realm_id, id, account_id, service, price_id, status, created_at, period_end, fetched_at, fetched_by, version",
    sql`${realm}, 'sub_' || n, ('00000000-0000-4000-8000-' || lpad(to_hex(n % ${sql.lit(companies)}), 12, '0'))::uuid, 'tracking', 'price',
      'active', ${AT}, ${AT}, ${AT}, 'list', 1`,
  );
  await add(
    "stripe_event",
    "id, type, subject_kind, subject_id, created_at, received_at, received_by, handled_at",
    sql`'evt_' || n, 'invoice.paid', 'subscription', 'sub_' || n, ${AT}, ${AT}, 'webhook', ${AT}`,
  );
  await add(
    "webhook_endpoint",
    "realm_id, id, url, events, state, secret_sealed, created_at, created_by",
    sql`${realm}, ${UUID}, 'https://hooks.example/secret/' || n, '{labels.made}', 'active', '', ${AT}, 'admin@many.example'`,
  );
  await add(
    "webhook_message",
    "realm_id, id, endpoint_id, event, data, state, attempts, created_at",
    sql`${realm}, ${UUID}, ${UUID}, 'labels.made', '{}', case when n % 1000 = 7 then 'failed' else 'delivered' end, 1, ${AT}`,
  );
  await add(
    "notice_mail",
    "id, realm_id, kind, recipient, params, state, created_at, changed_at",
    sql`${UUID}, ${realm}, 'invitation', 'user' || n || '@many.example', '{}', case when n % 1000 = 7 then 'refused' else 'sent' end,
      ${AT}, ${AT}`,
  );
  await add(
    "contact_message",
    "id, name, email, topic, message, sent_at",
    sql`${UUID}, 'User', 'user' || n || '@many.example', 'other', 'Hello', ${AT}`,
  );
  const user = sql`'user' || n || '@many.example'`;
  await add(
    "error_report",
    "id, source, fingerprint, title, place, release, request_id, received_at, event",
    sql`${UUID}, 'browser', 'cause ' || n, 'RangeError: ' || n || ' is too much', '/app/', 'dockside@7', 'req-' || n, ${AT},
      jsonb_build_object('user', jsonb_build_object('email', ${user}), 'exception', '{"values": [{"stacktrace": {"frames": [
        {"filename": "page.js", "function": "draw", "lineno": 3, "colno": 4}]}}]}'::jsonb)`,
  );
  await add("error_cause", "fingerprint, count, first_at, last_at", sql`'cause ' || n, 1, ${AT}, ${AT}`);
  await add(
    "recording",
    "id, page, release, user_email, received_at, started_at, ended_at, event_count, events",
    sql`${UUID}, '/app/', 'dockside@7', ${user}, ${AT}, ${AT}, ${AT}, 3, ''`,
  );
  await db.transaction().execute(async (tx) => {
    // Without links: a chain of a million entries takes minutes.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`insert into audit_entry (realm_id, at, id, action, ids, request_id)
      select ${realm}, ${AT}, ${UUID}, 'companies.switch', '{}', 'req-' || n from generate_series(0, ${rows - 1}) n`.execute(
      tx,
    );
  });
}
