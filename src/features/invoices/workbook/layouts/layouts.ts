import {
  freshbooks,
  harvest,
  jobber,
  toggl,
  xero,
  zoho,
} from "#features/invoices/workbook/layouts/books-layouts.ts";
import { amazon, shopify, square, woocommerce } from "#features/invoices/workbook/layouts/shop-layouts.ts";

/** Exports that are recognized as a whole, after the public column lists of these programs. */
export const layouts = [
  shopify,
  woocommerce,
  amazon,
  square,
  zoho,
  freshbooks,
  xero,
  harvest,
  toggl,
  jobber,
] as const;
