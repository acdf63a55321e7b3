import {
  addressBands,
  barcodeBand,
  orderBand,
  ssccBand,
  storeBand,
  storeText,
} from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/**
 * Vendor carton label. The Prep and Transportation Manual of 2016 requires ship from, ship to, the PO as a
 * plain Code 128 barcode, quantity, carton n of m and the SSCC; expiration dates and lots as text; and "Mixed
 * SKUs" on mixed cartons. Since July 2024 each pallet has an SSCC too. An Amazon PO has eight characters.
 */
export const amazon: Profile = {
  id: "amazon",
  name: "Amazon (vendors)",
  required: [],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  mixed: "Mixed SKUs",
  bands: [
    ...addressBands,
    orderBand({ item: "SKU" }),
    barcodeBand("PURCHASE ORDER", { of: "poNumber", as: "code128", height: 37 }),
    ssccBand,
  ],
};

/**
 * The public guide (swinglabels.com, Barnes & Noble) requires the PO under (400), zero-filled to nine digits,
 * the destination as a GLN under (410), and a quarter inch of quiet zone on each side of a barcode.
 */
export const barnesNoble: Profile = {
  id: "barnes-noble",
  name: "Barnes & Noble",
  required: ["markFor"],
  markForDigits: null,
  quietMm: 6.35,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand({ item: "Item" }),
    barcodeBand("ORDER NUMBER", { of: "poNumber", ai: "400", digits: 9, height: 37 }),
    // A GLN barcode is too wide to fit next to the store number in large type.
    {
      height: 60,
      when: "markFor",
      zones: [{ letter: "G", width: 288, title: "FOR", symbol: { of: "markFor", ai: "410", height: 37 } }],
    },
    ssccBand,
  ],
};

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

/**
 * The Barcode Specifications of April 2017 require an ITF-14 on the carton and a GS1-128 label with zones.
 * The zone sizes are behind a login, so those of the generic label are used. Home Depot certifies live
 * samples from each ship point.
 */
export const homeDepot: Profile = {
  id: "home-depot",
  name: "Home Depot",
  required: ["markFor", "item"],
  markForDigits: 4,
  quietMm: 0,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand({ item: "SKU" }),
    barcodeBand("GTIN", { of: "gtin", as: "itf14", height: 37 }, "gtin"),
    storeBand,
    ssccBand,
  ],
};

/**
 * The Pro division scans item and purchase order in plain Code 128 and wants the label on two sides of the
 * carton, with the same SSCC (ediacademy.com). Quantity, unit and vendor part are text: a 4 × 6 in label has
 * no space for five barcodes.
 */
export const homeDepotPro: Profile = {
  id: "home-depot-pro",
  name: "Home Depot Pro",
  required: ["item", "vendor"],
  markForDigits: null,
  quietMm: 0,
  copies: 2,
  bands: [
    ...addressBands,
    orderBand({ item: "Item" }),
    barcodeBand("ITEM", { of: "item", as: "code128", height: 37 }),
    barcodeBand("PURCHASE ORDER", { of: "poNumber", as: "code128", height: 37 }),
    ssccBand,
  ],
};

/**
 * The Barcode Guidelines require an ITF-14 on each carton with a standard multiple of one item, and a
 * quantity printed as large as possible. They don't mention a store barcode, so its number is text.
 */
export const lowes: Profile = {
  id: "lowes",
  name: "Lowe's",
  required: ["item"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand({
      counts: [
        { text: "{qty}", size: 20, bold: true },
        { caption: "Carton", text: "{cartonOf}", size: 10 },
        { caption: "Pallet", text: "{pallet}", size: 9 },
        { caption: "Vendor", text: "{vendor}", size: 10 },
      ],
    }),
    barcodeBand("GTIN", { of: "gtin", as: "itf14", height: 37 }, "gtin"),
    storeText(),
    ssccBand,
  ],
};

/**
 * Target numbers items by DPCI: department, class and item. Its SSCC-18 Carton Label Guidelines are behind a login, so zones
 * are those of the generic label.
 */
export const target: Profile = {
  id: "target",
  name: "Target",
  required: ["markFor", "item", "department"],
  markForDigits: 4,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand({ item: "DPCI" }), storeBand, ssccBand],
};

/**
 * The public list of its fields (docs.orderful.com, Walgreens label requirements) has store number, carrier, bill of lading, PRO,
 * weight, PO and vendor number, all of them required.
 */
export const walgreens: Profile = {
  id: "walgreens",
  name: "Walgreens",
  required: ["markFor", "bol", "pro", "vendor", "weight"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand({ more: [{ caption: "Weight (lb)", text: "{weight}", size: 10 }] }),
    storeBand,
    ssccBand,
  ],
};

/**
 * Case label for domestic shipments. The public list of its fields (docs.orderful.com, Walmart label
 * requirements) has the DC number, PO type, department and item as text; the Supply Chain Standards of 2022
 * require an SSCC on each pallet, and (01) with lot and date on fresh goods. They don't mention a DC barcode,
 * so there is none.
 */
export const walmart: Profile = {
  id: "walmart",
  name: "Walmart",
  required: ["markFor", "poType", "department", "item"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand({
      more: [
        { caption: "DC", text: "{markFor}", size: 12, bold: true },
        { caption: "PO type", text: "{poType}", size: 9 },
      ],
    }),
    barcodeBand("GTIN", { of: "gtin", ai: "01", height: 37 }, "lot"),
    barcodeBand("LOT AND DATES", { of: "batch", height: 37 }, "lot"),
    ssccBand,
  ],
};
