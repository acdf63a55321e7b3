import type { Ctx } from "#platform/ctx.ts";
import type { LabelUploads } from "#features/labels/contract.ts";
import { listLabelUploads } from "#features/labels/ledger/store.ts";
import { LISTED_UPLOADS } from "#features/labels/limits.ts";
import { listRequests } from "#features/labels/requests/store.ts";

/** The newest sheets of a company that became labels, and those of which nobody knows yet what becomes of them. */
export async function listUploads({ db }: Pick<Ctx, "db">, realmId: string): Promise<LabelUploads> {
  const requests = await listRequests(db, realmId, LISTED_UPLOADS);
  const uploads = await listLabelUploads(db, realmId, LISTED_UPLOADS);
  return {
    uploads: uploads.map(({ id, fileName, labelCount, madeAt, madeBy }) => ({
      id,
      filename: fileName,
      label_count: labelCount,
      made_at: madeAt.toISOString(),
      made_by: madeBy,
    })),
    requests: requests.map(({ printId, fileName, askedAt, askedBy, refusal }) => ({
      print_id: printId,
      filename: fileName,
      asked_at: askedAt.toISOString(),
      asked_by: askedBy,
      problem: refusal?.detail ?? null,
    })),
  };
}
