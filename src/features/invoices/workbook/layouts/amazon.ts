import type { Layout } from "#formats/table/define-sheet.ts";

/**
 * The order report of Amazon's Seller Central: one row per item. item-price is for all pieces of the row, prices and taxes
 * are of the row, and promotions are negative.
 */
export const amazon = {
  name: "amazon",
  title: "Amazon order report",
  headers: [
    "order-id",
    "order-item-id",
    "purchase-date",
    "payments-date",
    "buyer-email",
    "buyer-name",
    "sku",
    "product-name",
    "quantity-purchased",
    "currency",
    "item-price",
    "item-tax",
    "shipping-price",
    "shipping-tax",
    "recipient-name",
    "ship-address-1",
    "ship-city",
  ],
  columns: {
    "order-id": "invoiceNo",
    "order-item-id": "ignore",
    "purchase-date": "invoiceDate",
    "payments-date": "ignore",
    "buyer-email": "email",
    "buyer-name": "customer",
    sku: "ignore",
    "product-name": "item",
    // Without its price of one, the quantity only derives a rate that the file doesn't have.
    "quantity-purchased": "ignore",
    currency: "currency",
    "item-price": "ignore",
    "item-price with promotions": "amount",
    "item-tax": "taxTotal",
    "shipping-price": "ignore",
    "shipping-price with promotions": "lineShipping",
    "shipping-tax": "ignore",
    "item-promotion-discount": "ignore",
    "ship-promotion-discount": "ignore",
    "ship-address-1": "shipLine1",
    "ship-address-2": "shipLine2",
    "ship-city": "shipCity",
    "ship-state": "shipState",
    "ship-postal-code": "shipPostalCode",
    "ship-country": "shipCountry",
  },
  sums: [
    { header: "item-price with promotions", of: ["item-price", "item-promotion-discount"] },
    { header: "shipping-price with promotions", of: ["shipping-price", "ship-promotion-discount"] },
  ],
} as const satisfies Layout;
