import { addressBands, orderBand, ssccBand, storeText } from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * Pallet label. The public list of its fields (docs.orderful.com, Costco label requirements) has item,
 * department, description, lot, expiration date, the units on the pallet and the warehouse number as text,
 * and the SSCC as the only barcode. Fill Pallet in each row; the quantity is printed in eaches.
 */
export const costco: Profile = {
  id: "costco",
  name: "Costco",
  required: ["item", "department", "description", "markFor", "pallet"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand({ item: "Item" }), storeText("WAREHOUSE"), ssccBand],
};
