import type { NoticeView } from "#features/orders/notices-out/contract.ts";
import { formatZoned } from "#web/kit/format.ts";

/** UI text for a UPS shipment. */
export const shipmentWords = {
  number: "Shipment #",
  slip: "Packing Slip",
  currentLabel: "Current UPS Label",
  forPo: (po: string) => `for PO # ${po}`,
} as const;

type NoticeState = NoticeView["state"];

/** UI text for a notice for the retailer, at its labels or its canceled order. */
export const noticeLineWords = {
  names: { ship: "Ship notice", cancel: "Notice" },
  state: (name: string, state: NoticeState, iso: string) => noticeStates[state](name, formatZoned(iso)),
  because: (problems: readonly string[]) => `(${problems.join(" ")})`,
} as const;

const noticeStates: Record<NoticeState, (name: string, at: string) => string> = {
  pending: (name, at) => `${name} will be sent ${at}`,
  sent: (name, at) => `${name} sent ${at}`,
  accepted: (name, at) => `${name} accepted ${at}`,
  rejected: (name, at) => `${name} rejected ${at}`,
  overdue: (name, at) => `${name} of ${at} not answered`,
  withdrawn: (name) => `${name} withdrawn`,
};
