import { amazon } from "#features/invoices/workbook/layouts/amazon.ts";
import { freshbooks } from "#features/invoices/workbook/layouts/freshbooks.ts";
import { harvest } from "#features/invoices/workbook/layouts/harvest.ts";
import { jobber } from "#features/invoices/workbook/layouts/jobber.ts";
import { shopify } from "#features/invoices/workbook/layouts/shopify.ts";
import { square } from "#features/invoices/workbook/layouts/square.ts";
import { toggl } from "#features/invoices/workbook/layouts/toggl.ts";
import { woocommerce } from "#features/invoices/workbook/layouts/woocommerce.ts";
import { xero } from "#features/invoices/workbook/layouts/xero.ts";
import { zoho } from "#features/invoices/workbook/layouts/zoho.ts";

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
