import { formatSscc, countSerials } from "#formats/gs1/sscc.ts";
import { formatCount } from "#formats/text/phrases.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Journal } from "#integrations/objects/journal.ts";
import { conflict } from "#platform/errors.ts";
import { lineOf, nextIn, ownIn, ownLineOf } from "#features/labels/ledger/rules-journal.ts";
import { findUsedSsccs } from "#features/labels/ledger/store.ts";
import {
  findStoredSerial,
  lockSerials,
  takeSerials,
  type SerialRange,
} from "#features/labels/ledger/store-serials.ts";

/**
 * The number of each carton: its own where the sheet gives it one, else the next of the company's.
 * @throws AppError 409 when too few are left
 */
export async function takeNumbers(
  { tx, serials }: Taking,
  range: SerialRange,
  cartons: readonly { sscc: string }[],
): Promise<string[]> {
  const given = new Set(cartons.flatMap(({ sscc }) => (sscc === "" ? [] : [sscc])));
  const needed = cartons.filter(({ sscc }) => sscc === "").length;
  // A database that was put back does not know them all.
  const noted = ownIn(await serials.read(), range.realmId);
  if (given.size > 0) await serials.append(ownLineOf(range.realmId, given));
  const fresh: string[] = [];
  do {
    const block = await takeBlock({ tx, serials }, range, needed - fresh.length);
    // A sheet may have given one of them before its turn came.
    const used = new Set((await findUsedSsccs(tx, range.realmId, block)).map(({ sscc }) => sscc));
    fresh.push(...block.filter((sscc) => ![used, given, noted].some((those) => those.has(sscc))));
  } while (fresh.length < needed);
  let at = 0;
  return cartons.map(({ sscc }) => (sscc === "" ? (fresh[at++] ?? "") : sscc));
}

export type Taking = { tx: Db; serials: Journal };

/**
 * The block is noted outside the database before it can be printed. Where more was given than the database knows, it
 * was put back to an earlier day, maybe a moment ago: then what was given since is passed over.
 */
async function takeBlock({ tx, serials }: Taking, range: SerialRange, count: number): Promise<string[]> {
  await lockSerials(tx, range);
  const first = await takeSerials(tx, range, { count, least: nextIn(await serials.read(), range) });
  if (first === null) throw await exhausted({ tx, serials }, range, count);
  if (count > 0) await serials.append(lineOf(range, first, first + count));
  const { prefix, extension } = range;
  return Array.from({ length: count }, (_, at) => formatSscc({ extension, prefix, serial: first + at }));
}

/** The next number that would be given. */
export async function findNextSerial({ tx, serials }: Taking, range: SerialRange): Promise<number> {
  return Math.max(await findStoredSerial(tx, range), nextIn(await serials.read(), range));
}

/**
 * Does work of a transaction that takes numbers. When it fails nothing was committed, and the next labels get what it
 * took.
 */
export async function givingBack<T>(serials: Journal, work: (noted: Journal) => Promise<T>): Promise<T> {
  const taken: object[] = [];
  const append = async (line: object) => {
    await serials.append(line);
    taken.push(line);
  };
  try {
    return await work({ ...serials, append });
  } catch (error) {
    // What cannot be noted as unused is a gap.
    for (const line of taken.toReversed()) await serials.append({ ...line, unused: true }).catch(() => null);
    throw error;
  }
}

async function exhausted(taking: Taking, range: SerialRange, count: number): Promise<Error> {
  const left = countSerials(range.prefix) - (await findNextSerial(taking, range));
  return conflict(
    "serials_exhausted",
    `Serial range exhausted: ${formatCount(left)} numbers left, ${formatCount(count)} needed. Choose another extension digit or GS1 prefix in the label settings.`,
  );
}
