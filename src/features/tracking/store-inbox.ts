import { sql } from "kysely";
import type { VendorMessage } from "#features/tracking/tables.ts";
import type { Db } from "#platform/db/connect.ts";

/** A message that waits already is stored once. */
export async function addMessage(
  tx: Db,
  { vendor, digest, body, now }: Pick<VendorMessage, "vendor" | "digest" | "body"> & { now: Date },
): Promise<void> {
  await sql`insert into vendor_message (vendor, digest, body, received_at) values (${vendor}, ${digest}, ${body}, ${now})
    on conflict (vendor, digest) do nothing`.execute(tx);
}

/** Lists messages with the fewest failures first, then the oldest. */
export async function listMessages(db: Db, limit: number): Promise<VendorMessage[]> {
  const { rows } =
    await sql<VendorMessage>`select * from vendor_message order by failures, received_at, digest limit ${limit}`.execute(
      db,
    );
  return rows;
}

type Message = Pick<VendorMessage, "vendor" | "digest">;

export async function removeMessage(db: Db, { vendor, digest }: Message): Promise<void> {
  await sql`delete from vendor_message where vendor = ${vendor} and digest = ${digest}`.execute(db);
}

export async function noteFailure(db: Db, { vendor, digest }: Message): Promise<void> {
  await sql`update vendor_message set failures = failures + 1
    where vendor = ${vendor} and digest = ${digest}`.execute(db);
}

export async function removeMessagesBefore(db: Db, before: Date): Promise<void> {
  await sql`delete from vendor_message where received_at < ${before}`.execute(db);
}
