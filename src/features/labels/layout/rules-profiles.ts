import type { Field } from "#features/labels/sheet/rules-sheet.ts";

/** What a bar code holds: the ship-to postal code, the store, the purchase order or the carton's own number. */
export type SymbolSource = "postalCode" | "markFor" | "poNumber" | "sscc";

/** A line of a zone: `{field}` stands for what the label has there. A line of which nothing is filled is left out. */
export type ZoneLine = { caption?: string; text: string; size: number; bold?: true };

/** A part of a band, in points. `title` is printed small at its top. */
export type Zone = {
  width: number;
  title: string;
  lines?: readonly ZoneLine[];
  symbol?: { of: SymbolSource; ai?: string; height: number };
  /** Without a rule at its left. */
  joined?: true;
};

/** What a band is printed for: labels within the US, those to other countries, or those that name a store. */
export type Condition = "domestic" | "foreign" | "markFor";

/** A row of zones, in points; one of each profile has no height of its own, and takes the room that is left. */
export type Band = { height: number | "rest"; when?: Condition; zones: readonly Zone[] };

/** What a retailer's label looks like, and which columns it needs. */
export type Profile = {
  id: string;
  name: string;
  required: readonly Field[];
  markForDigits: number | null;
  bands: readonly Band[];
};

const FROM: Zone = {
  width: 128,
  title: "SHIP FROM",
  lines: [
    { text: "{fromName}", size: 9, bold: true },
    { text: "{fromAddress1}", size: 9 },
    { text: "{fromAddress2}", size: 9 },
    { text: "{fromCity}, {fromState} {fromPostalCode}", size: 9 },
  ],
};

const TO: Zone = {
  width: 160,
  title: "SHIP TO",
  lines: [
    { text: "{shipToName}", size: 10, bold: true },
    { text: "{address1}", size: 10 },
    { text: "{address2}", size: 10 },
    { text: "{city}, {state} {postalCode}", size: 10 },
    { text: "{foreignCountry}", size: 10 },
  ],
};

const POSTAL: Zone = { width: 174, title: "SHIP TO POST", symbol: { of: "postalCode", height: 37 } };

/** Postal codes with letters take the full width of a label. */
const FOREIGN_POSTAL: Zone = { ...POSTAL, width: 288 };

const CARRIER: Zone = {
  width: 114,
  title: "CARRIER",
  lines: [
    { text: "{carrier}", size: 10, bold: true },
    { caption: "PRO", text: "{pro}", size: 9 },
    { caption: "B/L", text: "{bol}", size: 9 },
  ],
};

const FLAT_CARRIER: readonly Zone[] = [
  { width: 128, title: "CARRIER", lines: [{ text: "{carrier}", size: 10, bold: true }] },
  {
    width: 160,
    title: "",
    joined: true,
    lines: [
      { caption: "PRO", text: "{pro}", size: 9 },
      { caption: "B/L", text: "{bol}", size: 9 },
    ],
  },
];

const QUANTITIES: Zone = {
  width: 104,
  title: "",
  joined: true,
  lines: [
    { caption: "Carton", text: "{cartonOf}", size: 11 },
    { caption: "Qty", text: "{qty}", size: 11 },
    { caption: "Dept", text: "{department}", size: 10 },
    { caption: "Vendor", text: "{vendor}", size: 10 },
  ],
};

const order = (item: string): Zone => ({
  width: 184,
  title: "",
  lines: [
    { caption: "PO", text: "{poNumber}", size: 13, bold: true },
    { caption: item, text: "{item}", size: 11 },
    { caption: "UPC", text: "{gtin}", size: 10 },
    { caption: "Model", text: "{model}", size: 10 },
    { text: "{description}", size: 10 },
  ],
});

/** @param ai of the store's number */
const store = (ai: string): Band => ({
  height: 64,
  when: "markFor",
  zones: [
    { width: 184, title: "FOR", symbol: { of: "markFor", ai, height: 37 } },
    {
      width: 104,
      title: "MARK FOR",
      joined: true,
      lines: [
        { text: "{markFor}", size: 28, bold: true },
        { text: "{markForName}", size: 9 },
      ],
    },
  ],
});

const SSCC: Band = {
  height: 132,
  zones: [{ width: 288, title: "SSCC-18", symbol: { of: "sscc", height: 92 } }],
};

const bands = (item: string, ai: string): Band[] => [
  { height: 72, zones: [FROM, TO] },
  { height: 72, when: "domestic", zones: [POSTAL, CARRIER] },
  { height: 68, when: "foreign", zones: [FOREIGN_POSTAL] },
  { height: 32, when: "foreign", zones: FLAT_CARRIER },
  { height: "rest", zones: [order(item), QUANTITIES] },
  store(ai),
  SSCC,
];

/** The profiles that come with the product. */
export const PROFILES: readonly Profile[] = [
  {
    id: "generic",
    name: "Generic UCC-128",
    required: [],
    markForDigits: null,
    bands: bands("Item", "91"),
  },
  {
    id: "home-improvement",
    name: "Home improvement retailer",
    required: ["markFor", "item"],
    markForDigits: 4,
    bands: bands("SKU", "91"),
  },
  {
    id: "dpci",
    name: "DPCI retailer",
    required: ["markFor", "item", "department"],
    markForDigits: 4,
    bands: bands("DPCI", "91"),
  },
];

export const findProfile = (id: string): Profile => PROFILES.find((profile) => profile.id === id) ?? GENERIC;

export const GENERIC = PROFILES[0] as Profile;
