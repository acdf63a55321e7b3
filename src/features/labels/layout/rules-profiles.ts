import type { Field } from "#features/labels/sheet/rules-sheet.ts";
import type { ProfileContent } from "#features/labels/profiles/contract.ts";

export type Band = ProfileContent["bands"][number];
export type Zone = Band["zones"][number];
export type ZoneLine = NonNullable<Zone["lines"]>[number];
/** What a bar code holds: the ship-to postal code, the store, the purchase order, the bill of lading or the carton's own number. */
export type SymbolSource = NonNullable<Zone["symbol"]>["of"];
/** What a band is printed for. */
export type Condition = NonNullable<Band["when"]>;

/** What a retailer's label looks like, and which columns it needs. */
export type Profile = {
  id: string;
  name: string;
  /** 0 for one that comes with the product. */
  version: number;
  required: readonly Field[];
  markForDigits: number | null;
  /** Least light space at both sides of a bar code. */
  quietMm: number;
  bands: readonly Band[];
};

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

/** Postal codes with letters take the full width of a label. */
const FOREIGN_POSTAL: Zone = { ...POSTAL, width: 288 };

/** The way of the carton: a parcel's tracking number takes the place of the PRO. */
const WAY: ZoneLine[] = [
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

const order = (item: string): Zone => ({
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

/** What a retailer asks for beside the rest; a company's own profile switches it on. */
const RETAILER: Band = {
  height: 24,
  off: true,
  zones: [{ letter: "F", width: 288, title: "", lines: [{ caption: "Ref", text: "{reference}", size: 11 }] }],
};

/** @param ai of the store's number */
const store = (ai: string): Band => ({
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

const SSCC: Band = {
  height: 128,
  zones: [{ letter: "I", width: 288, title: "SSCC-18", symbol: { of: "sscc", height: 92 } }],
};

const bands = (item: string, ai: string): Band[] => [
  { height: 84, zones: [FROM, TO] },
  { height: 70, when: "domestic", zones: [POSTAL, CARRIER] },
  { height: 66, when: "foreign", zones: [FOREIGN_POSTAL] },
  { height: 40, when: "foreign", zones: FLAT_CARRIER },
  { height: "rest", zones: [order(item), QUANTITIES] },
  RETAILER,
  store(ai),
  SSCC,
];

/** The profiles that come with the product. */
export const PROFILES: readonly Profile[] = [
  {
    id: "generic",
    name: "Generic UCC-128",
    version: 0,
    required: [],
    markForDigits: null,
    quietMm: 0,
    bands: bands("Item", "91"),
  },
  {
    id: "home-improvement",
    name: "Home improvement retailer",
    version: 0,
    required: ["markFor", "item"],
    markForDigits: 4,
    quietMm: 0,
    bands: bands("SKU", "91"),
  },
  {
    id: "dpci",
    name: "DPCI retailer",
    version: 0,
    required: ["markFor", "item", "department"],
    markForDigits: 4,
    quietMm: 0,
    bands: bands("DPCI", "91"),
  },
];

export const GENERIC = PROFILES[0] as Profile;

/** One that comes with the product; the generic one for every other id. */
export const findBuiltIn = (id: string): Profile => PROFILES.find((profile) => profile.id === id) ?? GENERIC;

/** A company's own profile. */
export const toProfile = (
  { id, name, version }: Pick<Profile, "id" | "name" | "version">,
  { required, mark_for_digits: markForDigits, quiet_mm: quietMm, bands: own }: ProfileContent,
): Profile => ({ id, name, version, required: required as Field[], markForDigits, quietMm, bands: own });

export const contentOf = ({ required, markForDigits, quietMm, bands: own }: Profile): ProfileContent => ({
  required: [...required],
  mark_for_digits: markForDigits,
  quiet_mm: quietMm,
  bands: [...own],
});

/** What labels of equal rows differ by. */
export const keyOf = ({ id, version }: Profile): string => (version === 0 ? id : `${id} ${version}`);
