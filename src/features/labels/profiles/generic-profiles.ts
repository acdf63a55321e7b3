import {
  addressBands,
  barcodeBand,
  batchBands,
  orderBand,
  ssccBand,
  storeBand,
  storeText,
} from "#features/labels/profiles/bands.ts";
import type { Profile } from "#features/labels/types.ts";

/** The common US retail carton label, zones A to I. */
export const generic: Profile = {
  id: "generic",
  name: "Generic UCC-128",
  required: [],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand(), storeBand, ssccBand],
};

/**
 * For retailers that use their own data under (91); the store is text then, because a label has each
 * identifier only once.
 */
export const retailerData: Profile = {
  id: "retailer-data",
  name: "Generic with retailer data",
  required: ["retailerData"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [
    ...addressBands,
    orderBand(),
    barcodeBand("RETAILER DATA", { of: "retailerData", height: 37 }),
    storeText(),
    ssccBand,
  ],
};

/**
 * Food that must be traceable by lot: item, count, lot and dates as barcodes. FSMA 204 requires the lot of
 * each case. Beside a date, the barcode has space for a lot of 6 letters or 12 digits; a row with a longer
 * one is refused.
 */
export const grocery: Profile = {
  id: "grocery",
  name: "Generic grocery",
  required: ["gtin"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand(), ...batchBands, ssccBand],
};

/** The routing guide is not public. This is the generic grocery label. */
export const albertsons: Profile = {
  id: "albertsons",
  name: "Albertsons",
  required: ["gtin"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand(), ...batchBands, ssccBand],
};

/** The routing guide is not public. This is the generic label, which shows lot and expiration date. */
export const cvs: Profile = {
  id: "cvs",
  name: "CVS",
  required: ["item"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand(), storeBand, ssccBand],
};

/**
 * Kroger requires suppliers of all food to provide traceability by lot, on cases and pallets (FSMA 204). Its
 * container labeling requirements are behind a login; this is the generic grocery label.
 */
export const kroger: Profile = {
  id: "kroger",
  name: "Kroger",
  required: ["gtin", "vendor"],
  markForDigits: null,
  quietMm: 0,
  copies: 1,
  bands: [...addressBands, orderBand(), ...batchBands, ssccBand],
};
