import * as z from "zod";
import type { NoticeKind } from "#features/orders/types.ts";
import type { Fold, Journal } from "#integrations/objects/journal.ts";

/** The last control number that a company's documents for a retailer have. */
const controlNumber = z.object({
  kind: z.literal("control_number"),
  realm: z.string(),
  partner: z.string(),
  last: z.int(),
});

/** A notice that is about to be sent: from then on its retailer may have it. */
const leftNotice = z.object({
  kind: z.literal("notice"),
  realm: z.string(),
  partner: z.string(),
  po: z.string(),
  about: z.enum(["cancel", "ship", "invoice"]),
  /**
   * UPS's number of the shipment; of an invoice its id in the books and attempt; the lines of a cancellation of lines; empty for an order's.
   */
  shipment: z.string(),
  /** Null for an invoice that a user entered in the retailer's portal. */
  control_number: z.int().nullable(),
  at: z.iso.datetime(),
});

/** A file or call of orders whose receipt was confirmed to its sender. */
const takenFile = z.object({
  kind: z.literal("orders"),
  realm: z.string(),
  channel: z.enum(["file", "folder", "api"]),
  document: z.string(),
  file: z.string(),
  added: z.int(),
  at: z.iso.datetime(),
});

export type LeftNotice = z.output<typeof leftNotice>;
export type TakenFile = z.output<typeof takenFile>;

/** Subject of a notice. Each has one notice at most. */
export type NoticeSubject = {
  realm: string;
  partner: string;
  po: string;
  about: NoticeKind;
  shipment: string;
};

type Promised = {
  lastNumbers: Map<string, number>;
  notices: Map<string, LeftNotice>;
  files: TakenFile[];
};

const PROMISED: Fold<Promised> = {
  begin: () => ({ lastNumbers: new Map(), notices: new Map(), files: [] }),
  note: (promised, line) => {
    const number = controlNumber.safeParse(line).data;
    if (number) promised.lastNumbers.set(counterKey(number.realm, number.partner), number.last);
    const notice = leftNotice.safeParse(line).data;
    if (notice) promised.notices.set(subjectKey(notice), notice);
    const file = takenFile.safeParse(line).data;
    if (file) promised.files.push(file);
  },
};

const counterKey = (realm: string, partner: string) => `${realm} ${partner}`;
const subjectKey = ({ realm, partner, po, about, shipment }: NoticeSubject) =>
  JSON.stringify([realm, partner, po, about, shipment]);

/** X12 has nine digits for a control number. */
const LAST_NUMBER = 999_999_999;

/**
 * The next control number: 1 to 999999999, then 1 again. A restored database may be behind the journal.
 * @param last of the database; 0 for none
 */
export async function reserveControlNumber(
  journal: Journal,
  { realmId, partner, last }: { realmId: string; partner: string; last: number },
): Promise<number> {
  const { lastNumbers } = await journal.read(PROMISED);
  const noted = lastNumbers.get(counterKey(realmId, partner)) ?? last;
  const isAhead = (noted - last + LAST_NUMBER) % LAST_NUMBER < LAST_NUMBER / 2;
  const next = ((isAhead ? noted : last) % LAST_NUMBER) + 1;
  const line = { kind: "control_number", realm: realmId, partner, last: next } as const;
  await journal.append(line satisfies z.output<typeof controlNumber>);
  return next;
}

/** Notes notices right before they leave, each once. */
export async function promiseNotices(
  journal: Journal,
  notices: readonly Omit<LeftNotice, "kind">[],
): Promise<void> {
  const { notices: noted } = await journal.read(PROMISED);
  const fresh = notices.filter((notice) => !noted.has(subjectKey(notice)));
  await journal.append(
    ...fresh.map((notice) => ({ kind: "notice", ...notice }) satisfies z.output<typeof leftNotice>),
  );
}

/** When a notice about a subject left, whether the database knows it or not. */
export const findLeftNotice = async (
  journal: Journal,
  subject: NoticeSubject,
): Promise<LeftNotice | undefined> => (await journal.read(PROMISED)).notices.get(subjectKey(subject));

/** Whether a notice left under a control number. */
export async function hasLeft(
  journal: Journal,
  { realm, partner, number }: { realm: string; partner: string; number: number },
): Promise<boolean> {
  const { notices } = await journal.read(PROMISED);
  return [...notices.values()].some(
    (notice) => notice.control_number === number && notice.realm === realm && notice.partner === partner,
  );
}

export const promiseTakenFile = (journal: Journal, file: Omit<TakenFile, "kind">): Promise<void> =>
  journal.append({ kind: "orders", ...file } satisfies z.output<typeof takenFile>);

/** Everything in the journal about orders. */
export const readPromised = async (
  journal: Journal,
): Promise<{ notices: readonly LeftNotice[]; files: readonly TakenFile[] }> => {
  const { notices, files } = await journal.read(PROMISED);
  return { notices: [...notices.values()], files };
};
