import { sql, type Selectable } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { Refusal } from "#platform/writes/decide.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { StoredAnswer, WriteState, WriteTables } from "#platform/writes/tables.ts";

const tables = (db: Db) => db.withTables<WriteTables>();

/** Identifies the writes of one command: of an upload, or of one of its undos. */
export type Command = { realmId: string; subject: string; commandId: string };

export type NewWrite = {
  part: string;
  seq: number;
  operation: WriteTables["write"]["operation"];
  requestId: string;
  fingerprint: string;
  vendorKey: string | null;
};

/** An open write. */
export type Write = NewWrite & {
  state: "planned" | "sent";
  firstSentAt: Date | null;
  lastSentAt: Date | null;
  /** The earliest moment, by the vendor's clock, at which its first call can have arrived; null when it is not known. */
  madeFrom: Date | null;
  /** The latest one at which its last call can have arrived. */
  madeUntil: Date | null;
  dueAt: Date | null;
  rounds: number;
  refusal: Refusal | null;
  /** The vendor's id of the last call that left it open. */
  lastTid: string | null;
};

/** Plans writes; existing ones stay as they are. */
export async function planWrites(
  tx: Db,
  command: Command,
  { vendor, writes, now }: { vendor: string; writes: readonly NewWrite[]; now: Date },
): Promise<void> {
  const rows = writes.map((write) => ({
    part: write.part,
    seq: write.seq,
    operation: write.operation,
    request_id: write.requestId,
    fingerprint: write.fingerprint,
    vendor_key: write.vendorKey,
  }));
  await sql`insert into write (realm_id, subject, command_id, vendor, planned_at, part, seq, operation, request_id, fingerprint,
      vendor_key)
    select ${command.realmId}, ${command.subject}::uuid, ${command.commandId}::uuid, ${vendor}, ${now}, w.*
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as w (part text, seq int, operation text, request_id text,
      fingerprint text, vendor_key text)
    on conflict do nothing`.execute(tx);
}

const selectWrites = (db: Db, { realmId, subject, commandId }: Command) =>
  tables(db)
    .selectFrom("write")
    .where("realm_id", "=", realmId)
    .where("subject", "=", subject)
    .where("command_id", "=", commandId);

const updateWrites = (tx: Db, { realmId, subject, commandId }: Command) =>
  tables(tx)
    .updateTable("write")
    .where("realm_id", "=", realmId)
    .where("subject", "=", subject)
    .where("command_id", "=", commandId);

/** Finds the next open writes in order. @param page.keyed those with a vendor key, else those without */
export async function findOpenWrites(
  db: Db,
  command: Command,
  page: { states: readonly Write["state"][]; keyed: boolean; after: number; limit: number },
): Promise<Write[]> {
  const rows = await selectWrites(db, command)
    .selectAll()
    .where("state", "in", [...page.states])
    .where("vendor_key", page.keyed ? "is not" : "is", null)
    .where("seq", ">", page.after)
    .orderBy("seq")
    .limit(page.limit)
    .execute();
  return rows.map(toWrite);
}

/** Finds sent writes that are due for a lookup. */
export async function findDueWrites(
  db: Db,
  command: Command,
  { now, limit }: { now: Date; limit: number },
): Promise<Write[]> {
  const rows = await selectWrites(db, command)
    .selectAll()
    .where("state", "=", "sent")
    .where("due_at", "<=", now)
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map(toWrite);
}

/** Counts the open writes of a command; `dueAt` is when the first sent one is due. */
export async function countOpenWrites(
  db: Db,
  command: Command,
): Promise<{ planned: number; sent: number; dueAt: Date | null }> {
  const row = await selectWrites(db, command)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere("state", "=", "planned").as("planned"),
      fn.countAll<number>().filterWhere("state", "=", "sent").as("sent"),
      fn.min("due_at").filterWhere("state", "=", "sent").as("due_at"),
    ])
    .where("state", "in", ["planned", "sent"])
    .executeTakeFirstOrThrow();
  return { planned: row.planned, sent: row.sent, dueAt: row.due_at };
}

/** Settled writes of a command with their outcome. */
export const findOutcomes = (
  db: Db,
  command: Command,
): Promise<{ part: string; state: WriteState; cause: Cause | null }[]> =>
  selectWrites(db, command).select(["part", "state", "cause"]).where("settled_at", "is not", null).execute();

/** The last moment that the writes of a command are marked with. */
export async function findLastMark(db: Db, command: Command): Promise<Date | null> {
  const row = await selectWrites(db, command)
    .select(sql<Date | null>`max(greatest(planned_at, last_sent_at, settled_at))`.as("mark"))
    .executeTakeFirst();
  return row?.mark ?? null;
}

/** When a call that leaves now may arrive, by the vendor's clock. */
export type Moment = { from: Date; until: Date };

/** Marks writes as sent now. @param at.dueAt when to look them up if no answer is saved before */
export async function markWritesSent(
  tx: Db,
  command: Command,
  { parts, now, dueAt, moment }: { parts: readonly string[]; now: Date; dueAt: Date; moment: Moment | null },
): Promise<void> {
  await updateWrites(tx, command)
    .set({
      state: "sent",
      first_sent_at: sql`coalesce(first_sent_at, ${now})`,
      last_sent_at: now,
      made_from: sql`coalesce(made_from, ${moment?.from ?? null})`,
      made_until: moment?.until ?? null,
      due_at: dueAt,
    })
    .where("part", "in", [...parts])
    .where("state", "in", ["planned", "sent"])
    .execute();
}

/** New state of a write. */
export type Change = {
  part: string;
  state: WriteState;
  dueAt: Date | null;
  rounds: number;
  vendorId: string | null;
  answer: StoredAnswer | null;
  cause: Cause | Refusal | null;
};

/**
 * Saves new states; only changes writes in one of the states `from`, by default open ones. A write that is
 * planned again was certainly never done, unless it was unresolved: then its next call counts as a repeated one.
 */
export async function changeWrites(
  tx: Db,
  command: Command,
  {
    changes,
    now,
    from = ["planned", "sent"],
  }: { changes: readonly Change[]; now: Date; from?: readonly WriteState[] },
): Promise<void> {
  const rows = changes.map((change) => ({
    part: change.part,
    state: change.state,
    due_at: change.dueAt,
    rounds: change.rounds,
    vendor_id: change.vendorId,
    answer: change.answer,
    cause: change.cause,
  }));
  await sql`update write w set state = c.state, due_at = c.due_at, rounds = c.rounds, vendor_id = c.vendor_id,
      answer = c.answer, cause = c.cause,
      first_sent_at = case when c.state = 'planned' and w.state <> 'unresolved' then null else w.first_sent_at end,
      last_sent_at = case when c.state = 'planned' then null else w.last_sent_at end,
      made_from = case when c.state = 'planned' then null else w.made_from end,
      made_until = case when c.state = 'planned' then null else w.made_until end,
      settled_at = case when c.state in ('planned', 'sent') then null else ${now}::timestamptz end
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as c (part text, state text, due_at timestamptz, rounds int,
      vendor_id text, answer jsonb, cause jsonb)
    where w.realm_id = ${command.realmId} and w.subject = ${command.subject}::uuid
      and w.command_id = ${command.commandId}::uuid and w.part = c.part
      and w.state = any (${[...from]}::text[])`.execute(tx);
}

/** An open or unresolved write of a company. */
export type InDoubt = { subject: string; commandId: string; isUnresolved: boolean; write: Write };

/**
 * Finds a company's writes that may have been done, of all commands, most recently sent first.
 * @param unsearched only unresolved ones of an operation, sent since, that were not looked up after their last call
 */
export async function findInDoubt(
  db: Db,
  { realmId, vendor }: { realmId: string; vendor: string },
  { limit, unsearched }: { limit: number; unsearched?: { operation: string; since: Date } },
): Promise<InDoubt[]> {
  const rows = await tables(db)
    .selectFrom("write")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("vendor", "=", vendor)
    .where("state", "in", unsearched ? ["unresolved"] : ["sent", "unresolved"])
    .where((is) =>
      unsearched
        ? is.and([
            is("due_at", "is", null),
            is("operation", "=", unsearched.operation),
            is("last_sent_at", ">=", unsearched.since),
          ])
        : is.lit(true),
    )
    .orderBy("last_sent_at", "desc")
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    subject: row.subject,
    commandId: row.command_id,
    isUnresolved: row.state === "unresolved",
    write: toWrite({ ...row, state: "sent" }),
  }));
}

/**
 * Marks planned writes as sent at any time since they were planned, because an earlier holder of the run may
 * have sent them.
 */
export async function markPlannedAsSent(tx: Db, command: Command, now: Date): Promise<void> {
  await updateWrites(tx, command)
    .set({ state: "sent", first_sent_at: sql`planned_at`, last_sent_at: now })
    .where("state", "=", "planned")
    .execute();
}

/**
 * Settles the open writes of a command: unsent ones as refused, possibly completed ones as unresolved, with
 * the id of their last call.
 */
export async function settleOpenWrites(
  tx: Db,
  command: Command,
  { planned, sent, now }: { planned: Cause; sent: Cause; now: Date },
): Promise<void> {
  await sql`update write set settled_at = ${now}, due_at = null,
      state = case state when 'planned' then 'refused' else 'unresolved' end,
      cause = case state when 'planned' then ${toJson(planned)}::jsonb else ${toJson(sent)}::jsonb
        || jsonb_build_object('tid', cause -> 'tid') end
    where realm_id = ${command.realmId} and subject = ${command.subject}::uuid
      and command_id = ${command.commandId}::uuid and state in ('planned', 'sent')`.execute(tx);
}

/** Settles the unsent writes of a command as refused. */
export async function refusePlanned(
  tx: Db,
  command: Command,
  { cause, now }: { cause: Cause; now: Date },
): Promise<void> {
  await sql`update write set settled_at = ${now}, due_at = null, state = 'refused', cause = ${toJson(cause)}
    where realm_id = ${command.realmId} and subject = ${command.subject}::uuid
      and command_id = ${command.commandId}::uuid and state = 'planned'`.execute(tx);
}

/** Records that a search after their last call has shown all it can: unresolved writes are not searched for again. */
export async function endSearches(
  db: Db,
  command: Command,
  { parts, now }: { parts: readonly string[]; now: Date },
): Promise<void> {
  await updateWrites(db, command)
    .set({ due_at: now })
    .where("part", "in", [...parts])
    .where("state", "=", "unresolved")
    .execute();
}

/** A completed write, with the vendor object it created. */
export type Claim = {
  vendorId: string;
  subject: string;
  commandId: string;
  part: string;
  fingerprint: string;
  adopted: boolean;
};

/** Finds the company's writes that created some vendor objects. */
export async function findClaims(
  db: Db,
  { realmId, vendor }: { realmId: string; vendor: string },
  vendorIds: readonly string[],
): Promise<Claim[]> {
  if (vendorIds.length === 0) return [];
  const rows = await tables(db)
    .selectFrom("write")
    .select(["vendor_id", "subject", "command_id", "part", "fingerprint", "answer"])
    .where("realm_id", "=", realmId)
    .where("vendor", "=", vendor)
    .where("vendor_id", "in", [...vendorIds])
    .execute();
  return rows.map((row) => ({
    vendorId: row.vendor_id ?? "",
    subject: row.subject,
    commandId: row.command_id,
    part: row.part,
    fingerprint: row.fingerprint,
    adopted: row.answer?.adopted ?? false,
  }));
}

/** Reopens an adopted write: the vendor confirmed that the adopted object belongs to an equal write. */
export async function reopenWrite(
  tx: Db,
  command: Command,
  { part, now }: { part: string; now: Date },
): Promise<void> {
  await sql`update write set state = case when first_sent_at is null then 'planned' else 'sent' end,
      due_at = case when first_sent_at is not null then ${now}::timestamptz end, vendor_id = null, answer = null,
      cause = null, settled_at = null
    where realm_id = ${command.realmId} and subject = ${command.subject}::uuid
      and command_id = ${command.commandId}::uuid and part = ${part}`.execute(tx);
}

function toWrite(row: Selectable<WriteTables["write"]>): Write {
  if (row.state !== "planned" && row.state !== "sent") throw new Error(`Write ${row.part} is settled.`);
  return {
    part: row.part,
    seq: row.seq,
    operation: row.operation,
    requestId: row.request_id,
    fingerprint: row.fingerprint,
    vendorKey: row.vendor_key,
    state: row.state,
    firstSentAt: row.first_sent_at,
    lastSentAt: row.last_sent_at,
    madeFrom: row.made_from,
    madeUntil: row.made_until,
    dueAt: row.due_at,
    rounds: row.rounds,
    refusal: row.cause && "conflict" in row.cause ? row.cause : null,
    lastTid: row.cause?.tid ?? null,
  };
}
