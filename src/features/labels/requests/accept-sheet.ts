import type { Company } from "#features/companies/index.ts";
import { busyReply, receiveFile } from "#features/sheets/index.ts";
import type { IncomingFile } from "#platform/http/mount.ts";
import { addRun } from "#platform/runs/store.ts";
import type { LabelsCtx } from "#features/labels/ctx.ts";
import { MAX_OPEN_REQUESTS } from "#features/labels/limits.ts";
import { fileOf, labelsRun } from "#features/labels/requests/jobs.ts";
import {
  addRequest,
  countOpenRequests,
  removeFailedRequest,
  type NewRequest,
} from "#features/labels/requests/store.ts";
import { plainName } from "#features/labels/rules-names.ts";

type Asked = Omit<NewRequest, "realmId" | "id" | "fileName" | "askedAt"> & { file: IncomingFile };

/**
 * Takes a sheet in, of which a run makes labels. Once this returns, a crash loses nothing. A print id that was given
 * before names the request of then, unless that failed on our side.
 * @throws AppError 413 over the size limit; 503 while too many of the company's are open, or the disk is full
 */
export async function acceptSheet(
  ctx: LabelsCtx,
  { realmId }: Company,
  { file, ...asked }: Asked,
): Promise<void> {
  await receiveFile(ctx, file, async (received) => {
    if ((await countOpenRequests(ctx.db, realmId)) >= MAX_OPEN_REQUESTS)
      throw busyReply(new Error("Too many requests for labels of one company are open."));
    const id = ctx.ids.uuid();
    const askedAt = ctx.clock.now();
    await received.keep(fileOf(id));
    const isNew = await ctx.db.transaction().execute(async (tx) => {
      await removeFailedRequest(tx, { realmId, printId: asked.printId });
      const isAdded = await addRequest(tx, {
        ...asked,
        realmId,
        id,
        fileName: plainName(file.name),
        askedAt,
      });
      const run = { realmId, id: ctx.ids.uuid(), subject: id, requestedBy: asked.askedBy };
      if (isAdded) await addRun(tx, labelsRun, { ...run, requestedAt: askedAt });
      return isAdded;
    });
    if (!isNew) await ctx.objects.remove(fileOf(id));
  });
}
