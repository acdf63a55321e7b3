import { Readable } from "node:stream";
import * as contract from "#features/admin/contract.ts";
import * as lists from "#features/admin/lists/contract.ts";
import { readPage, writeList } from "#features/admin/lists/read-list.ts";
import { countWaiting, countDays } from "#features/admin/read-overview.ts";
import { openFile, openUpload, type FilesCtx } from "#features/admin/open-file.ts";
import { findAnything } from "#features/admin/search/find-anything.ts";
import type { Audited } from "#features/audit/index.ts";
import { replayEvent } from "#features/billing/index.ts";
import { disconnectCompany, findCompany, type ConnectCtx } from "#features/companies/index.ts";
import { applyUserCommand } from "#features/identity/index.ts";
import { resendMail } from "#features/notices/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Reads } from "#platform/db/replica.ts";
import { notFound } from "#platform/errors.ts";
import { attachment } from "#platform/http/attachment.ts";
import type { Call, Mount } from "#platform/http/mount.ts";

type AdminRoutes<Caller> = {
  ctx: ConnectCtx;
  /** Context that records the caller's actions; in the trail of a company if one is given. */
  audited(call: Call<Caller>, realmId?: string): Ctx & Audited;
  /** Where lists are read. */
  longReads: Reads;
  files: FilesCtx;
  userId(call: Call<Caller>): string;
};

/** Serves lists and changes to operators. Each change has a reason, which is kept in the audit trail. */
export function adminRoutes<Caller>(
  mount: Mount<Caller>,
  { ctx, audited, longReads, files, userId }: AdminRoutes<Caller>,
): void {
  mount(contract.readOverview, () => countWaiting(ctx));
  mount(contract.readDays, async ({ query }) => ({ days: await countDays(ctx, query.starts) }));
  mount(contract.searchAll, async ({ query }) => ({ hits: await findAnything(ctx, query.text) }));
  const access = (call: Call<Caller>) => ({
    reads: longReads,
    // From the primary: a grant that has just ended opens nothing.
    viewer: { db: ctx.db, userId: userId(call), now: ctx.clock.now() },
  });
  mount(lists.readList, ({ params, query }, call) => readPage(access(call), params.list, query));
  mount(lists.downloadList, async ({ params: { list }, query }, call) =>
    call.reply
      .type("text/csv; charset=utf-8")
      .header("Content-Disposition", `attachment; filename="${list}.csv"`)
      .send(Readable.from(writeList(access(call), list, query))),
  );

  mount(contract.disconnectForSupport, async ({ body: { realm_id: realmId, reason } }, call) => {
    const company = await findCompany(ctx.db, realmId);
    if (!company) throw notFound("There is no company with this ID.");
    await disconnectCompany({ ...ctx, ...audited(call, realmId) }, company, {
      keptBy: null,
      reason,
    });
  });

  mount(contract.openFile, async ({ params: { kind, file }, query: { realm_id: realmId } }, call) => {
    const audit = { audited: audited(call, realmId) };
    const { name, bytes } = await openFile(
      { ...files, ...audit },
      { realmId, kind, file, userId: userId(call) },
    );
    return call.reply
      .type("application/octet-stream")
      .header("Content-Disposition", attachment(name, "file"))
      .send(bytes);
  });

  mount(contract.openUpload, ({ params, query: { realm_id: realmId } }, call) =>
    openUpload(
      { ...files, audited: audited(call, realmId) },
      { realmId, uploadId: params.upload_id, userId: userId(call) },
    ),
  );

  mount(contract.changeUser, async ({ body: { email, change, reason } }, call) => ({
    devices: await applyUserCommand(audited(call), change, {
      email,
      by: userId(call),
      reason,
    }),
  }));

  mount(contract.replayWebhook, ({ body }, call) => replayEvent(audited(call), body));
  mount(contract.resendMail, ({ body }, call) => resendMail(audited(call), body));
}
