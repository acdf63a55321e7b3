import type { Partner } from "#features/orders/partners/partner.ts";
import { retailer } from "#features/orders/partners/retailer.ts";

export type { Partner };

/** The retailers of this installation. The first one takes what names no known sender. */
export const PARTNERS: readonly [Partner, ...Partner[]] = [retailer];

export const findPartner = (partners: readonly Partner[], id: string): Partner | undefined =>
  partners.find((partner) => partner.id === id);

/** Names a retailer for users. */
export const nameRetailer = ({ name }: Pick<Partner, "name">, ctx: { retailer: string }): string =>
  name ?? ctx.retailer;

/** Names the retailer of an order or a document. */
export const findRetailerName = (
  ctx: { partners: readonly Partner[]; retailer: string },
  partnerId: string,
): string => nameRetailer(findPartner(ctx.partners, partnerId) ?? { name: null }, ctx);

/** The retailer of a sender's documents. */
export const partnerFrom = (partners: readonly [Partner, ...Partner[]], sender: string): Partner =>
  partners.find(({ senders }) => senders.includes(sender)) ?? partners[0];
