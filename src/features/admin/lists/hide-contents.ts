import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

/** The operator who reads a list, and when. */
export type Viewer = { db: Db; userId: string; now: Date };

/** Finds the companies whose files an operator may open now. */
export async function findGranted({ db, userId, now }: Viewer): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select realm_id as id from support_grant
    where user_id = ${userId}::uuid and ended_at is null and ends_at > ${now}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Actions about users, access and settings. Values of all others may quote files and orders of a company. */
const METADATA = /^(?:admin|companies|identity|support)\./;

type Row = Record<string, unknown>;

/**
 * Hides the values of a row of the trail that are contents of a company, unless it is among those that the operator may
 * open: of a webhook only the host is metadata, since its path may be a secret.
 */
export function hideContents(row: Row, granted: ReadonlySet<string>): Row {
  const { realm_id: realmId, action, before, after } = row;
  const isOpen = realmId === "" || granted.has(String(realmId));
  const show = (values: unknown) => {
    if (isOpen || typeof values !== "string") return values;
    return METADATA.test(String(action)) ? cutAddress(values) : null;
  };
  const shown = { before: show(before), after: show(after) };
  return { ...row, ...shown, is_hidden: shown.before !== before || shown.after !== after };
}

function cutAddress(text: string): string {
  const values = JSON.parse(text) as Row;
  if (typeof values["url"] !== "string") return text;
  return JSON.stringify({ ...values, url: URL.parse(values["url"])?.host ?? "" });
}
