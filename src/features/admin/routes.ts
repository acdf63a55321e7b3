import { notFound } from "#platform/errors.ts";
import type { Mount } from "#platform/http/mount.ts";
import * as contract from "#features/admin/contract.ts";

/** @param resetDemo null where real services are used: there is nothing to reset then */
export function adminRoutes<Caller>(
  mount: Mount<Caller>,
  { resetDemo }: { resetDemo: (() => Promise<void>) | null },
): void {
  mount(contract.resetDemo, async () => {
    if (!resetDemo) throw notFound("There is no demo here to reset.");
    await resetDemo();
    return {};
  });
}
