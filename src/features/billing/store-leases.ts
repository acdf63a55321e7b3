import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

type Lease = { name: string; holder: string };

/** Takes a lease that nobody holds, by the database's own clock. @returns whether it is ours */
export async function takeLease(db: Db, { name, holder, ms }: Lease & { ms: number }): Promise<boolean> {
  const { rows } = await sql`insert into billing_lease (name, holder, until)
    values (${name}, ${holder}, clock_timestamp() + ${ms} * interval '1 millisecond')
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
      where billing_lease.until < clock_timestamp() returning name`.execute(db);
  return rows.length > 0;
}

/** Holds a lease for longer; one that was released or lost is not taken again. */
export async function renewLease(db: Db, { name, holder, ms }: Lease & { ms: number }): Promise<void> {
  await sql`update billing_lease set until = clock_timestamp() + ${ms} * interval '1 millisecond'
    where name = ${name} and holder = ${holder}`.execute(db);
}

export async function releaseLease(db: Db, { name, holder }: Lease): Promise<void> {
  await sql`delete from billing_lease where name = ${name} and holder = ${holder}`.execute(db);
}
