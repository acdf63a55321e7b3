import type { Band, Zone, ZoneLine } from "#features/labels/types.ts";

const FROM: Zone = {
  letter: "A",
  width: 128,
  title: "SHIP FROM",
  lines: [
    { text: "{fromName}", size: 8, bold: true },
    { text: "{fromAddress1}", size: 8 },
    { text: "{fromAddress2}", size: 8 },
    { text: "{fromCity}, {fromState} {fromPostalCode}", size: 8 },
  ],
};

const TO: Zone = {
  letter: "B",
  width: 160,
  title: "SHIP TO",
  lines: [
    { text: "{shipToName}", size: 10, bold: true },
    { text: "{address1}", size: 9 },
    { text: "{address2}", size: 9 },
    { text: "{city}, {state} {postalCode}", size: 9 },
    { text: "{foreignCountry}", size: 9 },
  ],
};

const POSTAL: Zone = {
  letter: "C",
  width: 168,
  title: "SHIP TO POST",
  symbol: { of: "postalCode", height: 37 },
};

/** A barcode of a postal code with letters is as wide as the label. */
const FOREIGN_POSTAL: Zone = { ...POSTAL, width: 288 };

/** A parcel's tracking number is printed as the PRO. */
const WAY: readonly ZoneLine[] = [
  { caption: "PRO", text: "{pro}", size: 8 },
  { caption: "B/L", text: "{bol}", size: 8 },
  { caption: "Trailer", text: "{trailer}", size: 8 },
];

const CARRIER: Zone = {
  letter: "D",
  width: 120,
  title: "CARRIER",
  lines: [{ text: "{carrier}", size: 10, bold: true }, ...WAY],
};

const FLAT_CARRIER: Zone[] = [
  { letter: "D", width: 128, title: "CARRIER", lines: [{ text: "{carrier}", size: 10, bold: true }] },
  {
    letter: "D",
    width: 160,
    title: "",
    joined: true,
    lines: WAY,
  },
];

const QUANTITIES: Zone = {
  letter: "E",
  width: 104,
  title: "",
  joined: true,
  lines: [
    { caption: "Carton", text: "{cartonOf}", size: 10 },
    { caption: "Qty", text: "{qty}", size: 10 },
    { caption: "Dept", text: "{department}", size: 10 },
    { caption: "Vendor", text: "{vendor}", size: 10 },
  ],
};

const orderZone = (item: string): Zone => ({
  letter: "E",
  width: 184,
  title: "",
  lines: [
    { caption: "PO", text: "{poNumber}", size: 12, bold: true },
    { caption: item, text: "{item}", size: 11 },
    { caption: "UPC", text: "{gtin}", size: 10 },
    { caption: "Model", text: "{model}", size: 10 },
    { text: "{description}", size: 10 },
  ],
});

/** @param ai identifier of the store number */
const storeBand = (ai: string): Band => ({
  height: 64,
  when: "markFor",
  zones: [
    { letter: "G", width: 184, title: "FOR", symbol: { of: "markFor", ai, height: 37 } },
    {
      letter: "H",
      width: 104,
      title: "MARK FOR",
      joined: true,
      lines: [
        { text: "{markFor}", size: 30, bold: true },
        { text: "{markForName}", size: 8 },
      ],
    },
  ],
});

const SSCC_BAND: Band = {
  height: 128,
  zones: [{ letter: "I", width: 288, title: "SSCC-18", symbol: { of: "sscc", height: 92 } }],
};

/**
 * Bands of the common US retail carton label, zones A to I.
 * @param of.item caption of the item number
 * @param of.storeAi identifier of the store number
 */
export const standardBands = ({ item = "Item", storeAi = "91" } = {}): Band[] => [
  { height: 84, zones: [FROM, TO] },
  { height: 70, when: "domestic", zones: [POSTAL, CARRIER] },
  { height: 66, when: "foreign", zones: [FOREIGN_POSTAL] },
  { height: 40, when: "foreign", zones: FLAT_CARRIER },
  { height: "rest", zones: [orderZone(item), QUANTITIES] },
  storeBand(storeAi),
  SSCC_BAND,
];
