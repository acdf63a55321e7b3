import { dayIn } from "#formats/text/phrases.ts";
import type { CancelFacts, ShipFacts } from "#features/orders/notices-out/types.ts";
import { element, plainDay, writeBatch } from "#features/orders/notices-out/xml.ts";
import { findServiceCode, type Partner } from "#features/orders/partners/partner.ts";
import type { Pieces } from "#features/orders/rules-shipped.ts";
import type { Order, OrderLine, XmlTrading } from "#features/orders/types.ts";

type Parts = {
  facts: ShipFacts | CancelFacts;
  dueAt: Date;
  order: { content: Order; trading: XmlTrading };
  partner: Partner;
  /** Control number of the confirmation. */
  controlNumber: number;
  /** The company's time zone, which determines the ship date. */
  timeZone: string;
  now: Date;
};

/**
 * Writes a notice as a CommerceHub confirmation: one action per line and carton shipped, or per line canceled. If carton
 * contents are unknown, each line appears once and links to every carton.
 * @see facts of four public CommerceHub clients, and docs/decisions/0036-notices-leave-late.md
 */
export function writeConfirmation({ facts, dueAt, order, controlNumber, now, ...parts }: Parts): Buffer {
  const { trading, content } = order;
  const confirm = element("hubConfirm", [
    element("participatingParty", trading.merchant, { roleType: "merchant", participationCode: "To:" }),
    element("partnerTrxID", String(controlNumber).padStart(9, "0")),
    element("partnerTrxDate", plainDay(dayIn(parts.timeZone)(now))),
    element("poNumber", content.poNumber),
    ...("cartons" in facts
      ? ship(content, facts, { ...parts, shippedOn: dayIn(parts.timeZone)(dueAt) })
      : cancel(content, facts)),
  ]);
  const sender = element("partnerID", trading.vendor || "SUPPLIER", { roleType: "vendor" });
  return writeBatch("hubConfirm", sender, [confirm]);
}

type Shipped = Pick<Parts, "partner"> & { shippedOn: string };

function ship(
  order: Order,
  { cartons, lines, service }: ShipFacts,
  { partner, shippedOn }: Shipped,
): string[] {
  const links = cartons.map((_, at) =>
    element("packageDetailLink", "", { packageDetailID: packageDetailId(at) }),
  );
  const isKnown = cartons.every(({ contents }) => contents !== null);
  const shipped = isKnown
    ? cartons.flatMap(({ contents }, at) =>
        actions("v_ship", order, contents ?? [], { links: [links[at] ?? ""] }),
      )
    : actions("v_ship", order, lines, { links });
  const serviceCode = order.serviceCode || findServiceCode(partner, service);
  return [
    ...shipped,
    ...cartons.map(({ trackingNumber, weightLb }, at) =>
      element(
        "packageDetail",
        [
          element("shipDate", plainDay(shippedOn)),
          element("serviceLevel1", serviceCode),
          element("trackingNumber", trackingNumber),
          element("shippingWeight", String(Math.round(weightLb * 100) / 100)),
        ],
        { packageDetailID: packageDetailId(at) },
      ),
    ),
  ];
}

const cancel = (order: Order, { reason, lines }: CancelFacts): string[] =>
  actions("v_cancel", order, lines ?? order.lines, { reason });

/** An action for pieces of each line. */
const actions = (
  name: "v_ship" | "v_cancel",
  order: Order,
  pieces: readonly Pieces[],
  more: { reason?: string; links?: readonly string[] },
): string[] =>
  pieces.flatMap(({ line, quantity }) => {
    const ordered = order.lines.find((found) => found.line === line);
    return ordered ? [action(name, { ...ordered, quantity }, more)] : [];
  });

function action(
  name: "v_ship" | "v_cancel",
  line: OrderLine,
  { reason, links = [] }: { reason?: string; links?: readonly string[] },
): string {
  return element("hubAction", [
    element("action", name),
    ...(reason === undefined ? [] : [element("actionCode", reason)]),
    element("merchantLineNumber", line.merchantLine ?? line.line),
    ...(line.vendorSku === "" ? [] : [element("trxVendorSKU", line.vendorSku)]),
    ...(line.buyerSku === "" ? [] : [element("trxMerchantSKU", line.buyerSku)]),
    element("trxQty", line.quantity),
    ...links,
  ]);
}

const packageDetailId = (at: number) => `P${at + 1}`;
