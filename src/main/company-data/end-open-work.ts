import type pg from "pg";

/** Work that an import ended: runs, and the uploads whose summaries change with that. */
export type EndedWork = { runs: number; uploads: string[] };

/**
 * Ends what was open in an export. The other installation may have gone on after the export, so nothing counts as certainly
 * not done: a write that was open is unresolved, as after a lost answer, and a notice isn't sent.
 */
export async function endOpenWork(
  client: pg.ClientBase,
  { realmId, now }: { realmId: string; now: Date },
): Promise<EndedWork> {
  const run = (text: string) => client.query(text, [realmId, now]);
  const runs = await client.query<{ subject: string }>(
    `update run set state = 'stopped', cause = '{"code": "moved"}', due_at = null, canceled_by = null, finished_at = $2
      where realm_id = $1 and state in ('queued', 'working', 'waiting') returning subject`,
    [realmId, now],
  );
  const writes = await client.query<{ subject: string }>(
    `update write set state = 'unresolved', settled_at = $2, due_at = null,
      first_sent_at = coalesce(first_sent_at, planned_at), last_sent_at = coalesce(last_sent_at, $2),
      cause = jsonb_build_object('code', case operation when 'create' then 'in_doubt_at_stop' else 'in_doubt' end,
        'params', '{}'::jsonb, 'tid', cause -> 'tid')
      where realm_id = $1 and state in ('planned', 'sent') returning subject`,
    [realmId, now],
  );
  await run(`update shipment set state = 'asked', cause = '{"code": "in_doubt", "params": {}, "tid": null}'
    where realm_id = $1 and state = 'making' and $2::timestamptz is not null`);
  await run(`update tracking_write set state = 'unresolved', settled_at = $2,
      cause = '{"code": "in_doubt", "params": {}, "tid": null}'
    where realm_id = $1 and state = 'open'`);
  await run(`update label_upload set state = 'refused', request = null, ended_at = $2, refusal = jsonb_build_object(
      'status', 409, 'code', 'moved', 'detail', 'The company moved to this installation before the labels were made. Upload the file again.')
    where realm_id = $1 and state = 'queued'`);
  await run(
    `update order_notice set state = 'withdrawn', ended_at = $2 where realm_id = $1 and state = 'pending'`,
  );
  const subjects = new Set([...runs.rows, ...writes.rows].map(({ subject }) => subject));
  const uploads = await client.query<{ id: string }>(
    "select id from upload where realm_id = $1 and id = any ($2::uuid[])",
    [realmId, [...subjects]],
  );
  return { runs: runs.rows.length, uploads: uploads.rows.map(({ id }) => id) };
}
