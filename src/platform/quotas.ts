import { STORAGE_KINDS, type StorageKind, type StoredBytes } from "#contract/storage.ts";
import type { Db } from "#platform/db/connect.ts";
import { AppError } from "#platform/errors.ts";

/** Kinds that a user can add to at no cost, so that only a limit keeps one company from filling the disk of all. */
export type LimitedKind = Exclude<StorageKind, "documents" | "answers">;

/** Bytes that a company may store of each kind. */
export type StorageLimits = Readonly<Record<LimitedKind, number>>;

/** Counts the bytes of one kind that are stored for a company, from what the database knows of them. */
type Measure = (db: Db, realmId: string) => Promise<number>;

const RETRY_AFTER_SECONDS = 3_600;
export const COMPANY_FULL = "company_storage_full";

/** Space of companies. */
export type Quotas = {
  /**
   * Called before anything is stored. Calls at the same time don't see each other, so a company may get a few files more.
   * @param bytes size of what is to be stored; 0 if only that shows
   * @throws AppError 413 if the company has no space for it
   */
  requireSpace(realmId: string, kind: LimitedKind, bytes: number): Promise<void>;
  list(realmId: string): Promise<StoredBytes[]>;
};

export type WithQuotas = { quotas: Quotas };

/** @param db outside of any transaction, so that counting holds no lock */
export function createQuotas(
  db: Db,
  { limits, measures }: { limits: StorageLimits; measures: Readonly<Record<StorageKind, Measure>> },
): Quotas {
  const findLimit = (kind: StorageKind): number | null =>
    kind === "documents" || kind === "answers" ? null : limits[kind];
  return {
    requireSpace: async (realmId, kind, bytes) => {
      const used = await measures[kind](db, realmId);
      if (used < limits[kind] && used + bytes <= limits[kind]) return;
      throw new AppError({
        status: 413,
        code: COMPANY_FULL,
        detail: writeRefusal(kind, { used, limit: limits[kind], bytes }),
        // A call under an Idempotency-Key is not answered so for a day, whatever was removed meanwhile.
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    },
    list: (realmId) =>
      Promise.all(
        STORAGE_KINDS.map(async (kind) => ({
          kind,
          used_bytes: await measures[kind](db, realmId),
          limit_bytes: findLimit(kind),
        })),
      ),
  };
}

const NAMES: Readonly<Record<LimitedKind, string>> = {
  workbooks: "invoice files",
  orders: "files of orders",
  labels: "label sheets",
  exports: "exports of all data",
};

const REMEDIES: Readonly<Record<LimitedKind, string>> = {
  workbooks: "Discard checks that you won't post, or contact us for more space.",
  orders: "Contact us for more space.",
  labels: "Contact us for more space.",
  exports: "Download an export that is kept, or make a new one after the oldest is removed.",
};

function writeRefusal(kind: LimitedKind, { used, limit, bytes }: Record<"used" | "limit" | "bytes", number>) {
  const need = bytes > 0 ? `, and this one needs ${formatSize(bytes)}` : "";
  return `This company's ${NAMES[kind]} use ${formatSize(used)} of the ${formatSize(limit)} that it may store${need}. Nothing was stored. ${REMEDIES[kind]}`;
}

function formatSize(bytes: number): string {
  const [unit, divisor] =
    bytes >= 1024 ** 3 ? ["GB", 1024 ** 3] : bytes >= 1024 ** 2 ? ["MB", 1024 ** 2] : ["kB", 1024];
  return `${Number((bytes / Number(divisor)).toFixed(1))} ${unit}`;
}
