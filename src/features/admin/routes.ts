import { notFound } from "#platform/errors.ts";
import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Call, Mount } from "#platform/http/mount.ts";
import * as contract from "#features/admin/contract.ts";

type AdminRoutes<Caller> = {
  resetDemo: (() => Promise<void>) | null;
  /** The context of a call that records what its caller does. */
  audited(call: Call<Caller>): Ctx & Audited;
};

/** @param resetDemo null where real services are used: there is nothing to reset then */
export function adminRoutes<Caller>(mount: Mount<Caller>, { resetDemo, audited }: AdminRoutes<Caller>): void {
  mount(contract.resetDemo, async (_input, call) => {
    if (!resetDemo) throw notFound("There is no demo here to reset.");
    await resetDemo();
    const ctx = audited(call);
    await ctx.audit(ctx.db, { action: "admin.reset_demo" });
  });
}
