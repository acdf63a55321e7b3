import { Readable } from "node:stream";
import type { Audited } from "#features/audit/index.ts";
import { requireStillAdmin } from "#features/companies/authorize-call.ts";
import type { DataExport } from "#features/companies/data-export/contract.ts";
import { readParts } from "#features/companies/data-export/export-parts.ts";
import { exportRun } from "#features/companies/data-export/make-export.ts";
import * as store from "#features/companies/data-export/store.ts";
import type { Company } from "#features/companies/rules.ts";
import { lockCompany } from "#features/companies/store.ts";
import type { User } from "#features/identity/index.ts";
import { ObjectMissing, type ObjectStore } from "#integrations/objects/object-store.ts";
import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";
import type { WithQuotas } from "#platform/quotas.ts";
import { addRun } from "#platform/runs/store.ts";

/** Lists the exports of a company, newest first. */
export const listExports = async ({ db }: Ctx, { realmId }: Company): Promise<DataExport[]> =>
  (await store.findExports(db, realmId)).map(toReply);

/**
 * Asks for an export of all data of a company. While one is being made, nothing is added.
 * @returns the export that is being made
 * @throws AppError 403 for a user who is no longer the admin; 413 if those that are kept take all space
 */
export async function requestExport(
  ctx: Ctx & Audited & WithQuotas,
  { company, user }: { company: Company; user: User },
): Promise<DataExport> {
  const { realmId } = company;
  // Its size shows when it is made: one is always possible, whatever there is to export.
  await ctx.quotas.requireSpace(realmId, "exports", 0);
  const id = ctx.ids.uuid();
  return ctx.db.transaction().execute(async (tx) => {
    await requireStillAdmin(tx, await lockCompany(tx, realmId), user);
    const now = ctx.clock.now();
    if (await store.addExport(tx, { realmId, id, by: user.email, now })) {
      await addRun(tx, exportRun, {
        realmId,
        id: ctx.ids.uuid(),
        subject: id,
        requestedBy: user.email,
        requestedAt: now,
      });
      await ctx.audit(tx, { action: "companies.export", ids: { export: id } });
    }
    const making = (await store.findExports(tx, realmId)).find(({ state }) => state === "making");
    if (!making) throw new Error("An export has ended under the lock of its company.");
    return toReply(making);
  });
}

/** @throws AppError 404 if the company has no such export, or it is no longer kept */
export async function openExport(
  ctx: Ctx & { objects: ObjectStore },
  { realmId }: Company,
  id: string,
): Promise<{ bytes: number; stream: Readable; madeOn: string }> {
  const found = await store.findExport(ctx.db, { realmId, id });
  if (found?.state !== "made") throw notKept();
  const parts = readParts(ctx.objects, found, found.parts);
  // Before the answer begins: a part that is missing would cut it.
  const first = await parts.next().catch((error: unknown) => {
    throw error instanceof ObjectMissing ? notKept() : error;
  });
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* parts;
  };
  return {
    bytes: found.sizeBytes ?? 0,
    stream: Readable.from(all()),
    madeOn: found.requestedAt.toISOString().slice(0, 10),
  };
}

const notKept = () => notFound("This export is no longer kept. Make a new one in Settings.");

const toReply = (found: store.StoredExport): DataExport => ({
  id: found.id,
  state: found.state,
  requested_by: found.requestedBy,
  requested_at: found.requestedAt.toISOString(),
  files: found.files,
  size_bytes: found.sizeBytes,
  sha256: found.sha256,
  expires_at: found.expiresAt?.toISOString() ?? null,
});
