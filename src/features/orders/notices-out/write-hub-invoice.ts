import { findTrackingNumbers, findVendorNumber } from "#features/orders/notices-out/check-invoice.ts";
import { termsInXml, type InvoiceDocument } from "#features/orders/notices-out/write-invoice.ts";
import { element, plainDay, writeBatch } from "#features/orders/notices-out/xml.ts";
import { findServiceCode } from "#features/orders/partners/partner.ts";
import type { XmlTrading } from "#features/orders/types.ts";

/** Writes a checked invoice as CommerceHub's `hubInvoice`; each line names the packages that have pieces of it. */
export function writeHubInvoice(parts: InvoiceDocument, trading: XmlTrading): Buffer {
  const { order, partner, invoice, shipments, shippedOn } = parts;
  const cartons = shipments.flatMap((shipment) => shipment.cartons);
  const links = (line: string) =>
    cartons.flatMap(({ contents }, at) =>
      !contents || contents.some((content) => content.line === line)
        ? element("packageDetailLink", "", { packageDetailID: `P${at + 1}` })
        : [],
    );
  const serviceCode = order.serviceCode || findServiceCode(partner, shipments[0]?.service ?? "");
  const message = element("hubInvoice", [
    element("participatingParty", trading.merchant, { roleType: "merchant", participationCode: "To:" }),
    element("partnerTrxID", invoice.number),
    element("partnerTrxDate", plainDay(invoice.date)),
    element("poNumber", order.poNumber),
    element("trxShipping", invoice.freight),
    element("trxHandling", "0.00"),
    element("trxTax", invoice.tax),
    element("trxCredits", invoice.allowance),
    element("trxBalanceDue", invoice.total),
    element("trxData", [element("discountBreakout", "", termsInXml(order.billing?.terms))]),
    ...invoice.lines.map(({ line, quantity, unitPrice }) =>
      element("hubAction", [
        element("action", "v_invoice"),
        element(
          "merchantLineNumber",
          order.lines.find((ordered) => ordered.line === line)?.merchantLine ?? line,
        ),
        element("trxQty", quantity),
        element("trxUnitCost", unitPrice),
        element("invoiceDetailLink", "", { invoiceDetailID: "I1" }),
        ...links(line),
      ]),
    ),
    element("invoiceDetail", [element("remitTo", "", { personPlaceID: "R1" })], { invoiceDetailID: "I1" }),
    ...findTrackingNumbers(shipments).map((number, at) =>
      element(
        "packageDetail",
        [
          element("shipDate", plainDay(shippedOn)),
          element("serviceLevel1", serviceCode),
          element("trackingNumber", number),
        ],
        { packageDetailID: `P${at + 1}` },
      ),
    ),
    element("personPlace", [element("partnerPersonPlaceId", findVendorNumber(order, partner, shipments))], {
      personPlaceID: "R1",
    }),
  ]);
  const sender = element("partnerID", trading.vendor || "SUPPLIER", { roleType: "vendor" });
  return writeBatch("hubInvoice", sender, [message]);
}
