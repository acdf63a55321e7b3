import { expect, test } from "vitest";
import { readX12 } from "#features/orders/intake/read-x12.ts";
import { directRetailer } from "#features/orders/partners/fixtures/direct-retailer.ts";
import type { Partner } from "#features/orders/partners/partner.ts";
import { PARTNERS, partnerFrom } from "#features/orders/partners/partners.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";

/** An invented retailer with other codes for the same facts. */
const gardens: Partner = {
  ...directRetailer,
  id: "gardens",
  name: "Gardens",
  senders: ["GARDENS"],
  services: { FAST: "02", SLOW: "03" },
  canCancel: "quantity",
  needsContents: false,
  references: { customerOrder: "OQ", cancelAfter: "061", shipBy: ["118"] },
};

test("adding a second retailer takes one file: its sender, references, dates and services are data", () => {
  const both = [...PARTNERS, gardens] as const;
  const theirs = sampleOrder(1).map((segment) =>
    segment.replace("REF*CO*", "REF*OQ*").replace("DTM*064*", "DTM*118*").replace("ZZ*UPSN_CG", "ZZ*FAST"),
  );
  const file = sampleFile({ sets: [theirs] });
  const fromGardens = file.replace("RETAILER       ", "GARDENS        ");
  const read = (text: string) => {
    const now = new Date("2026-11-26T12:00:00Z");
    const [interchange] = readX12(Buffer.from(text), (sender) => partnerFrom(both, sender), now);
    const document = interchange?.documents[0];
    const order = document?.kind === "order" ? document.order : undefined;
    return [
      partnerFrom(both, interchange?.sender ?? "").id,
      order?.customerOrder,
      order?.shipBy,
      order?.serviceCode,
    ];
  };
  expect(read(fromGardens)).toEqual(["gardens", "W155", "2026-12-01", "FAST"]);
  expect(read(file)).toEqual(["retailer", "", null, "FAST"]);
});
