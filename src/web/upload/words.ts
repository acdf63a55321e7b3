import { counted, formatCount } from "#web/kit/format.ts";

/** Texts of the line of what waits on the Upload page. */
export const waitingWords = {
  waiting: "Waiting for you:",
  nothing: "Nothing is waiting for you.",
  problems: (count: number) => `${counted(count, "invoice")} ${count === 1 ? "needs" : "need"} fixing`,
  unconfirmed: (count: number) => `${formatCount(count)} not confirmed by QuickBooks`,
  withoutProof: (count: number) =>
    count === 1 ? "1 delivery without proof" : `${formatCount(count)} deliveries without proof`,
  withoutProofHref: "/tracking/?show=without_proof",
  receiptHref: (id: string) => `?receipt=${id}`,
} as const;
