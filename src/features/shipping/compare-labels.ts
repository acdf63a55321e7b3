import { callUps, findLink } from "#features/carrier/index.ts";
import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { findMadeAt } from "#features/shipping/rules-ours.ts";
import { findHeldNumbers, listLivePurchases } from "#features/shipping/store-search.ts";
import { DAY_MS } from "#platform/time.ts";

const SPAN_MS = 30 * DAY_MS;
/** UPS is asked once a day for so many live purchases: another part of them each day. */
const PER_CALL = 50;

/**
 * Compares live purchases of the last 30 days with UPS by their own references: UPS may have labels that no purchase here has.
 * @throws UpsError
 */
export async function compareLabels(ctx: ShippingCtx, realmId: string) {
  if (!(await findLink(ctx.db, realmId))) return null;
  const now = ctx.clock.now().getTime();
  const live = await listLivePurchases(ctx.db, realmId, new Date(now - SPAN_MS));
  const calls = Math.ceil(live.length / PER_CALL);
  const first = (Math.floor(now / DAY_MS) * calls) % Math.max(1, live.length);
  const compared = [...live.slice(first), ...live.slice(0, first)].slice(0, calls);
  const differences = [];
  for (const {
    id,
    po_number: po,
    reference,
    requested_at: requestedAt,
    searched_at: searchedAt,
  } of compared) {
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const tracked = await callUps(ctx, realmId, (ups, { token, account }) =>
      ups.trackReference(token, reference, {
        account,
        from: day(requestedAt.getTime() - DAY_MS),
        to: day(now + DAY_MS),
      }),
    );
    const numbers = tracked
      .filter(({ state }) => state !== "voided")
      .map(({ trackingNumber }) => trackingNumber);
    const held = await findHeldNumbers(ctx.db, numbers);
    const others = numbers.filter((number) => !held.has(number));
    if (others.length === 0) continue;
    const packages = tracked.filter(({ trackingNumber }) => others.includes(trackingNumber));
    const madeAt = findMadeAt({ packages });
    differences.push({
      subject: id,
      code: "unknown_at_ups",
      params: { po, numbers: others.join(", ") },
      // The search at the end of the purchase mailed what UPS had then.
      isMailed: madeAt !== null && searchedAt !== null && madeAt <= searchedAt,
    });
  }
  return { subjects: compared.map(({ id }) => id), differences };
}
