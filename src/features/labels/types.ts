import type { ResolutionName } from "#formats/label/drawing.ts";
import type { ProblemFacts } from "#features/sheets/reading.ts";
import type { Paper, PrintOrder } from "#features/labels/contract.ts";
import type { Field } from "#features/labels/sheet.ts";

/** Sheet columns that hold numbers; all others hold text. */
export const NUMBER_FIELDS = ["qty", "carton", "cartonCount", "cartons", "weight"] as const;
export type NumberField = (typeof NUMBER_FIELDS)[number];
export type TextField = Exclude<Field, NumberField>;

/** A checked row of a sheet; blank cells are empty strings or null. */
export type LabelRow = Record<TextField, string> & {
  row: number;
  /** Three-digit country code, for barcodes. */
  countryNumber: string;
  qty: number;
  carton: number | null;
  cartonCount: number | null;
  cartons: number;
  weight: number | null;
};

/** Groups cartons that go to one place. */
export const shipToKey = ({ shipToName, postalCode }: LabelRow): string => `${shipToName}\n${postalCode}`;

/**
 * Groups cartons that are numbered together: those of one purchase order and store, which is the ship-to where no other store is
 * named.
 */
export const orderKey = (row: LabelRow): string => `${row.poNumber}\n${row.markFor || shipToKey(row)}`;

/**
 * One carton: its row, its number within its order, and its SSCC. Or a pallet: `carton` is null and
 * `cartonCount` is the number of cartons on it.
 */
export type Carton = { row: LabelRow; carton: number | null; cartonCount: number | null; sscc: string };

/** A carton with its place in an upload; `prefix` is the company prefix within its SSCC. */
export type NumberedCarton = Carton & { seq: number; prefix: string };

/** Ship-from address as printed. */
export type ShipFrom = {
  code: string;
  name: string;
  address1: string;
  address2: string;
  city: string;
  state: string;
  postalCode: string;
};

/**
 * `{field}` in the text is replaced by a value of the label. A line without values is omitted; a rare one
 * gets space only if present.
 */
export type ZoneLine = { caption?: string; text: string; size: number; bold?: true; rare?: true };

/**
 * Data of a barcode: the SSCC, a column of the sheet, the (02) GTIN of the items in a carton with their count, or the dates,
 * lot and serial of the items.
 */
export type SymbolSource =
  | "sscc"
  | "contents"
  | "batch"
  | "postalCode"
  | "markFor"
  | "poNumber"
  | "bol"
  | "gtin"
  | "item"
  | "vendor"
  | "qty"
  | "retailerData";

/** A barcode in GS1-128, or of one column in plain Code 128 or as ITF-14. */
export type ZoneSymbol = {
  of: SymbolSource;
  as?: "code128" | "itf14";
  /** Application identifier, if not the usual one of the column. */
  ai?: string;
  /** Number of digits to zero-fill to. */
  digits?: number;
  /** In points. */
  height: number;
};

/** Part of a band, in points. `title` is printed small at the top; `joined` omits the rule at the left. */
export type Zone = {
  letter: "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H" | "I";
  width: number;
  title: string;
  lines?: readonly ZoneLine[];
  symbol?: ZoneSymbol;
  joined?: true;
};

/** Labels on which a band is printed: within the US, to other countries, or with a value in a column. */
export type Condition = "domestic" | "foreign" | TextField;

/** A row of zones. Exactly one band of a label has the height "rest" and takes the remaining height. */
export type Band = { height: number | "rest"; when?: Condition; zones: readonly Zone[] };

/** Layout of a retailer's label and the columns it requires. */
export type Profile = {
  id: string;
  name: string;
  /** Columns besides those that every label requires. */
  required: readonly Field[];
  /** Number of digits of a store number, zero-padded; null if the length is not fixed. */
  markForDigits: number | null;
  /** Minimum quiet zone on both sides of a barcode, if ten modules are not enough. */
  quietMm: number;
  /** In place of the item on a carton with several; "MIXED" by default. */
  mixed?: string;
  /** Copies of each label, such as for two sides of a carton. */
  copies: 1 | 2;
  bands: readonly Band[];
};

/** Label settings of a company. */
export type LabelSettings = {
  prefix: string;
  /** More GS1 prefixes of the company, with the same extension digit. */
  otherPrefixes: string[];
  extension: number;
  profile: string;
  resolution: ResolutionName;
  paper: Paper;
  order: PrintOrder;
  separators: boolean;
  /** The first one is used if a sheet names none. */
  shipFroms: ShipFrom[];
};

/** An upload whose labels were made. */
export type LabelUpload = {
  id: string;
  fileName: string;
  /** Copy of the profile, so that a reprint looks like the first print. */
  profile: Profile;
  labelCount: number;
  /** By code; the company's default under "". */
  shipFroms: Record<string, ShipFrom>;
  madeBy: string;
  madeAt: Date;
  /** Warnings about the sheet that blocked nothing. */
  remarks: readonly ProblemFacts[];
};

export type UploadId = { realmId: string; id: string };

/** Consecutive labels of an upload, inclusive. */
export type LabelRange = { first: number; last: number };
