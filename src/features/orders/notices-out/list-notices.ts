import type { OrdersCtx } from "#features/orders/ctx.ts";
import type { Notice } from "#features/orders/notices-out/contract.ts";
import { toNoticeView } from "#features/orders/notices-out/notices.ts";
import { listNewest, type StoredNotice } from "#features/orders/notices-out/store.ts";

export async function readNotices(
  ctx: OrdersCtx,
  realmId: string,
  { limit, show }: { limit: number; show: "all" | "due" },
): Promise<Notice[]> {
  const now = ctx.clock.now();
  const found = await listNewest(ctx.db, realmId, { limit, dueAt: show === "due" ? now : null });
  return found.map((notice) => toNotice(notice, now));
}

export const toNotice = (notice: StoredNotice, now: Date): Notice => ({
  ...toNoticeView(notice, now),
  kind: notice.kind,
  order_id: notice.order_id,
  po_number: notice.po_number,
  is_due:
    notice.content !== null ||
    (notice.state === "pending" && !notice.is_held && !notice.needs_contents && notice.due_at <= now),
  control_number: notice.control_number,
});
