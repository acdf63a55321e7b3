import type { Band, Zone, ZoneLine, ZoneSymbol } from "#features/labels/types.ts";

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

/** The tracking number of a parcel is printed as the PRO number. */
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

/**
 * Ship from, ship to, postal code and carrier. The barcode of a postal code with letters is as wide as the
 * label.
 */
export const addressBands: readonly Band[] = [
  { height: 84, zones: [FROM, TO] },
  { height: 70, when: "domestic", zones: [POSTAL, CARRIER] },
  { height: 66, when: "foreign", zones: [{ ...POSTAL, width: 288 }] },
  {
    height: 40,
    when: "foreign",
    zones: [
      { letter: "D", width: 128, title: "CARRIER", lines: [{ text: "{carrier}", size: 10, bold: true }] },
      { letter: "D", width: 160, title: "", joined: true, lines: WAY },
    ],
  },
];

/** Order lines; retailers add their own below. */
const ORDER_LINES = (item: string): ZoneLine[] => [
  { caption: "PO", text: "{poNumber}", size: 12, bold: true },
  { caption: item, text: "{item}", size: 11 },
  { caption: "UPC", text: "{gtin}", size: 10 },
  { caption: "Model", text: "{model}", size: 10 },
  { text: "{description}", size: 10 },
];

const COUNTS: readonly ZoneLine[] = [
  { caption: "Carton", text: "{cartonOf}", size: 10 },
  { caption: "Pallet", text: "{pallet}", size: 9, rare: true },
  { caption: "Qty", text: "{qty}", size: 10 },
  { caption: "Dept", text: "{department}", size: 9 },
  { caption: "Vendor", text: "{vendor}", size: 9 },
];

/** Lot and dates of goods that have them. */
const BATCH_LINES: readonly ZoneLine[] = [
  { caption: "Lot", text: "{lot}", size: 8, rare: true },
  { caption: "Best by", text: "{bestBefore}", size: 8, rare: true },
  { caption: "Exp", text: "{expiry}", size: 8, rare: true },
];

/**
 * The order: purchase order and item on the left, quantities on the right. Takes the remaining height.
 * @param of.item caption of the item number
 * @param of.counts lines of the right side
 */
export const orderBand = ({
  item = "Item",
  more = [],
  counts = COUNTS,
}: { item?: string; more?: readonly ZoneLine[]; counts?: readonly ZoneLine[] } = {}): Band => ({
  height: "rest",
  zones: [
    { letter: "E", width: 184, title: "", lines: [...ORDER_LINES(item), ...more] },
    { letter: "E", width: 104, title: "", joined: true, lines: [...counts, ...BATCH_LINES] },
  ],
});

/** A barcode across the whole label in zone F, if the label has its data. */
export const barcodeBand = (title: string, symbol: ZoneSymbol, when?: Band["when"]): Band => ({
  height: 60,
  ...(when === undefined ? {} : { when }),
  zones: [{ letter: "F", width: 288, title, symbol }],
});

/** The store: its number as a barcode and in large type. */
export const storeBand: Band = {
  height: 64,
  when: "markFor",
  zones: [
    { letter: "G", width: 184, title: "FOR", symbol: { of: "markFor", height: 37 } },
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
};

/** The store or distribution center in large type only. */
export const storeText = (title = "MARK FOR"): Band => ({
  height: 48,
  when: "markFor",
  zones: [
    { letter: "H", width: 144, title, lines: [{ text: "{markFor}", size: 24, bold: true }] },
    { letter: "H", width: 144, title: "", joined: true, lines: [{ text: "{markForName}", size: 10 }] },
  ],
});

export const ssccBand: Band = {
  height: 128,
  zones: [{ letter: "I", width: 288, title: "SSCC-18", symbol: { of: "sscc", height: 92 } }],
};

/** Item and batch of food, for traceability: (02) with the count, then dates and lot. */
export const batchBands: readonly Band[] = [
  barcodeBand("CONTENT AND COUNT", { of: "contents", height: 37 }, "gtin"),
  barcodeBand("LOT AND DATES", { of: "batch", height: 37 }, "lot"),
];
