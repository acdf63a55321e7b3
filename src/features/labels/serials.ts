import { sql } from "kysely";
import * as z from "zod";
import { formatSscc, countSerials } from "#formats/gs1/sscc.ts";
import { formatCount } from "#formats/text/phrases.ts";
import type { Fold, Journal } from "#integrations/objects/journal.ts";
import type { Db } from "#platform/db/connect.ts";
import { conflict } from "#platform/errors.ts";

/** Serials of a company's prefix with one extension digit. */
export type SerialRange = { realmId: string; prefix: string; extension: number };

/** A transaction, and the journal kept outside the database. */
export type Taking = { tx: Db; journal: Journal };

/** High-water mark of a range: every serial below `next` was assigned or skipped. */
const mark = z.object({ realm: z.string(), prefix: z.string(), extension: z.number(), next: z.number() });

/**
 * SSCCs that came with a sheet. They can be anywhere in a range, so they don't raise the mark and are
 * skipped.
 */
const own = z.object({ realm: z.string(), own: z.array(z.string()) });

/** Locks a range: other transactions that need its serials wait until this one ends. */
export async function lockSerials(tx: Db, { realmId, prefix, extension }: SerialRange): Promise<void> {
  await sql`insert into label_serial (realm_id, prefix, extension, next_serial)
    values (${realmId}, ${prefix}, ${extension}, 0) on conflict do nothing`.execute(tx);
  await sql`select from label_serial where realm_id = ${realmId} and prefix = ${prefix}
    and extension = ${extension} for update`.execute(tx);
}

/**
 * Numbers the cartons of a locked range: with the SSCC from the sheet, else the next serial. Serials are
 * never reused.
 * @throws AppError 409 if too few are left
 */
export async function numberCartons(
  { tx, journal }: Taking,
  range: SerialRange,
  cartons: readonly { sscc: string }[],
): Promise<string[]> {
  const given = new Set(cartons.flatMap(({ sscc }) => (sscc === "" ? [] : [sscc])));
  const needed = cartons.length - cartons.filter(({ sscc }) => sscc !== "").length;
  // A restored database does not know all of them.
  const noted = (await journal.read(NOTED)).own.get(range.realmId) ?? new Set();
  if (given.size > 0) await journal.append({ realm: range.realmId, own: [...given] });
  const fresh = await takeSerials({ tx, journal }, range, {
    count: needed,
    isTaken: (sscc) => given.has(sscc) || noted.has(sscc),
  });
  let at = 0;
  return cartons.map(({ sscc }) => (sscc === "" ? (fresh[at++] ?? "") : sscc));
}

/** Serials whose SSCCs are looked up together: a sheet may have brought thousands in a row. */
const LOOK_AHEAD = 1_000;

/**
 * Takes serials that no sheet brought. The journal records the new mark before any of them can be printed, so
 * a restored database continues after the last recorded one.
 */
async function takeSerials(
  { tx, journal }: Taking,
  range: SerialRange,
  { count, isTaken }: { count: number; isTaken: (sscc: string) => boolean },
): Promise<string[]> {
  const { realmId, prefix, extension } = range;
  const first = await findNextSerial({ tx, journal }, range);
  const fresh: string[] = [];
  let next = first;
  while (fresh.length < count) {
    const [open, left] = [count - fresh.length, countSerials(prefix) - next];
    if (open > left)
      throw conflict(
        "serials_exhausted",
        `Not enough serials: ${formatCount(left)} left, ${formatCount(open)} needed. Choose another extension digit or GS1 prefix in the label settings.`,
      );
    const block = Array.from({ length: Math.min(left, Math.max(open, LOOK_AHEAD)) }, (_, at) =>
      formatSscc({ extension, prefix, serial: next + at }),
    );
    const { rows } = await sql<{ sscc: string }>`select sscc from label
      where realm_id = ${realmId} and sscc = any (${block}::text[])`.execute(tx);
    const used = new Set(rows.map(({ sscc }) => sscc));
    for (const sscc of block) {
      if (fresh.length === count) break;
      next += 1;
      if (!used.has(sscc) && !isTaken(sscc)) fresh.push(sscc);
    }
  }
  if (next > first) await saveMark({ tx, journal }, range, next);
  return fresh;
}

/** Finds the next serial: the higher of the marks in the table and the journal. */
export async function findNextSerial({ tx, journal }: Taking, range: SerialRange): Promise<number> {
  const { rows } = await sql<{ next: number }>`select next_serial as next from label_serial
    where realm_id = ${range.realmId} and prefix = ${range.prefix} and extension = ${range.extension}`.execute(
    tx,
  );
  const noted = (await journal.read(NOTED)).next.get(rangeKey(range));
  return Math.max(rows[0]?.next ?? 0, noted ?? 0);
}

/**
 * Raises the next serial, for a company that issued SSCCs elsewhere.
 * @throws AppError 409 if serials up to there were already assigned
 */
export async function raiseNextSerial(taking: Taking, range: SerialRange, next: number): Promise<void> {
  await lockSerials(taking.tx, range);
  if (next < (await findNextSerial(taking, range)))
    throw conflict(
      "serial_given",
      `Serial ${next} is already used. Enter a higher one, so that no SSCC is used twice.`,
    );
  await saveMark(taking, range, next);
}

/** Stores a mark: first in the journal, which outlives a restore of the database. */
async function saveMark(
  { tx, journal }: Taking,
  { realmId, prefix, extension }: SerialRange,
  next: number,
): Promise<void> {
  await journal.append({ realm: realmId, prefix, extension, next } satisfies z.output<typeof mark>);
  await sql`update label_serial set next_serial = ${next} where realm_id = ${realmId} and prefix = ${prefix}
    and extension = ${extension}`.execute(tx);
}

/** Serials from `from` to `to` of a range. */
export type Serials = SerialRange & { from: number; to: number };

/**
 * Lists serials that the journal knows to be taken, and a restored database does not: their labels are not in it, and they
 * are not given again.
 */
export async function listForgottenSerials({
  db,
  journal,
}: {
  db: Db;
  journal: Journal;
}): Promise<Serials[]> {
  const { rows } = await sql<SerialRange & { next: number }>`select realm_id as "realmId", prefix, extension,
    next_serial as next from label_serial`.execute(db);
  const known = new Map(rows.map((row) => [rangeKey(row), row.next]));
  return [...(await journal.read(NOTED)).next].flatMap(([key, next]) => {
    const [realmId = "", prefix = "", extension = ""] = key.split(" ");
    const from = known.get(key) ?? 0;
    return next > from ? [{ realmId, prefix, extension: Number(extension), from, to: next - 1 }] : [];
  });
}

/** Lists the prefixes from which a company was assigned serials. */
export async function listUsedPrefixes(db: Db, realmId: string): Promise<string[]> {
  const { rows } = await sql<{ prefix: string }>`select distinct prefix from label_serial
    where realm_id = ${realmId}`.execute(db);
  return rows.map(({ prefix }) => prefix);
}

/**
 * Lists extension digits that other companies of the installation use with a prefix, or with one that
 * contains it.
 */
export async function listOthersDigits(
  db: Db,
  { realmId, prefix }: { realmId: string; prefix: string },
): Promise<number[]> {
  const { rows } = await sql<{ extension: number }>`select extension
    from (select realm_id, extension, unnest(array_append(other_prefixes, prefix)) as prefix from label_settings
      union all select realm_id, extension, prefix from label_serial) as used
    where realm_id <> ${realmId} and (starts_with(prefix, ${prefix}) or starts_with(${prefix}, prefix))
    group by extension`.execute(db);
  return rows.map(({ extension }) => extension);
}

const rangeKey = ({ realmId, prefix, extension }: SerialRange) => `${realmId} ${prefix} ${extension}`;

/** Marks and SSCCs in the journal. */
const NOTED: Fold<{ next: Map<string, number>; own: Map<string, Set<string>> }> = {
  begin: () => ({ next: new Map(), own: new Map() }),
  note: (noted, line) => {
    const block = mark.safeParse(line).data;
    if (block) {
      const key = rangeKey({ ...block, realmId: block.realm });
      noted.next.set(key, Math.max(block.next, noted.next.get(key) ?? 0));
    }
    const brought = own.safeParse(line).data;
    if (!brought) return;
    const ssccs = noted.own.get(brought.realm) ?? new Set();
    for (const sscc of brought.own) ssccs.add(sscc);
    noted.own.set(brought.realm, ssccs);
  },
};
