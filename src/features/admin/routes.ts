import { notFound } from "#platform/errors.ts";
import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Call, Mount } from "#platform/http/mount.ts";
import * as contract from "#features/admin/contract.ts";

type AdminRoutes<Caller> = {
  resetDemo: (() => Promise<void>) | null;
  /** Context that records the caller's actions. */
  audited(call: Call<Caller>): Ctx & Audited;
};

/** @param resetDemo null with real services */
export function adminRoutes<Caller>(mount: Mount<Caller>, { resetDemo, audited }: AdminRoutes<Caller>): void {
  mount(contract.resetDemo, async (_input, call) => {
    if (!resetDemo) throw notFound("There is no demo here to reset.");
    await resetDemo();
    const ctx = audited(call);
    await ctx.audit(ctx.db, { action: "admin.reset_demo" });
  });
}
