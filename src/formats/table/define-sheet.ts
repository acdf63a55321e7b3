import type { CellValue } from "../xlsx/workbook.ts";
import { headerKey } from "./header-text.ts";
import type { Found } from "./problem.ts";

/**
 * Type of a column. A `code` is text that Excel often damages, such as leading zeros and long numbers. A `charge` is money
 * with a dash for none. A `time` is of a day, and a text. A `discount` is a charge, or a percentage with a percent sign; a `percent` needs no sign.
 */
export type FieldType =
  | "text"
  | "code"
  | "date"
  | "time"
  | "decimal"
  | "money"
  | "charge"
  | "discount"
  | "percent"
  | "yesno";

/** Types of columns that hold numbers. */
export const NUMBER_TYPES: ReadonlySet<FieldType | undefined> = new Set([
  "decimal",
  "money",
  "charge",
  "discount",
  "percent",
]);

export type FieldRule = {
  /** Header in the template. */
  header: string;
  /** `text` when left out. */
  type?: FieldType;
  /** A `row` field belongs to its row, a `key` field groups rows; any other belongs to all rows of a record. */
  level?: "row" | "key";
  /** Maximum number of characters. */
  max?: number;
  /** Whether the column is required; with `unless`, only if one of those is missing. */
  required?: true | { unless: readonly string[] };
  /** Looked up in a list and sent as an id, so any letters are fine. */
  lookedUp?: true;
  /** Other names of the column, in the form of `headerKey`, separated by spaces. */
  synonyms?: string;
  /** Names that mean the field only if no other column does. */
  weakSynonyms?: string;
  /** Width of the template's column, in characters. */
  width?: number;
  /** Only compared with what is billed. Of two such columns the first is used. */
  control?: true;
  /** False for a column that is read but that the template does not offer. */
  offered?: boolean;
  /** For the template's page of explanations: when it is needed ("No" by default), and what to write. */
  needed?: string;
  explanation?: string;
  /** Rewrites a text before it is measured and checked. */
  rewrite?: (text: string) => string;
  /** Explains a text that can't be read as the field's type. */
  whyUnread?: (text: string) => Found | undefined;
  /** An additional rule for a text that can be read. */
  check?: (text: string) => Found | undefined;
};

/**
 * A field whose column must not be ignored: without it the rows would mean something else. Users must choose its column
 * where the sheet has columns of all `given` fields, of none of `unless`, and a candidate.
 */
export type RequiredChoice<F extends string> = {
  field: F;
  given?: readonly F[];
  unless?: readonly F[];
  /** Header keys of candidates; by default all columns whose numbers, times the rate, are the amount. */
  headers?: RegExp;
  notHeaders?: RegExp;
};

/** Rules by header keys for columns that no field matches; see `findUndecided`. */
export type UndecidedRules<F extends string> = {
  /** Columns whose numbers aren't money and don't count goods. */
  quiet: RegExp;
  /** Columns of such a header that are asked about all the same. */
  notQuiet: RegExp;
  /** Columns whose words say what a row is. */
  words: RegExp;
  /** Words in them that change nothing. */
  harmless: RegExp;
  /** Guessed fields of money of which one amount among words is enough to ask. */
  charges: readonly F[];
  /** Columns of what is subtracted: they are asked about also where they repeat the amount. */
  subtracted: RegExp;
  /** Columns that only their words show, by the header keys if there are some; asked about without a column of `unless`. */
  byWords: readonly {
    headers?: RegExp;
    unless: F;
    shows: (words: readonly string[]) => boolean;
    guess: F | null;
  }[];
  /** The first that applies; null where nothing is to be proposed. */
  guesses: readonly { headers: RegExp; field: F | null }[];
  /**
   * Guessed fields of money whose numbers up to 100 may be percentages, each with the field for those, and headers
   * next to which they are.
   */
  percentages?: { of: Readonly<Partial<Record<F, F>>>; beside: RegExp };
};

/** Headers that mean another thing where the sheet has the others beside them; their column is then asked about. */
export type DoubtfulHeaders = readonly { headers: RegExp; beside: RegExp }[];

/** A discount that is of the whole record if the amounts are full prices, and of the line if it is subtracted already. */
export type ByAmount<F extends string = string> = { ifFull: F; ifSubtracted: F };

/** A whole export of a program, recognized by its set of headers. */
export type Layout<F extends string = string> = {
  /** Stored with answers: never rename it. */
  name: string;
  /** "Shopify order export" */
  title: string;
  /** The headers that identify it, as the program writes them. */
  headers: readonly string[];
  /** Meanings of headers; all others are read as in any sheet. */
  columns: Readonly<Record<string, F | "ignore" | ByAmount<F>>>;
  /** A column of the texts of several others, for a name in two parts. */
  joined?: { header: string; of: readonly string[] };
  /** Columns of the sums of several others: a price with the discounts that are written as negative amounts. */
  sums?: readonly { header: string; of: readonly string[] }[];
};

/** Names of a sheet and its records in sentences. */
export type SheetWords = {
  /** One record, "invoice". */
  record: string;
  records: string;
  /** Content of the key column of the grouping, "invoice number". */
  key?: string;
  /** Receiver of the records, "QuickBooks". */
  receiver: string;
};

/** How rows form records. */
export type Grouping<F extends string> = {
  /** Rows with the same value of this field are one record. */
  key: F;
  /** Groups rows without a key in the same way. */
  fallbackKey: F;
  /** In a row without key and fallback key, another value of one of these fields starts a new record. */
  starts: readonly F[];
  /** Reduces a text to the part that counts in a comparison. */
  alike: (text: string) => string;
};

export type SheetDescription<F extends string> = {
  /** Stored with each choice of a user: never rename it. */
  kind: string;
  words: SheetWords;
  fields: Record<F, FieldRule>;
  grouping?: Grouping<NoInfer<F>>;
  requiredChoices?: readonly RequiredChoice<NoInfer<F>>[];
  template: {
    /** Raised when a column changes its name or its meaning. */
    version: string;
    /** Text of its page of explanations above those of the columns. */
    rules: readonly string[];
  };
  /** Sample rows of the template, and the value in one of their fields that distinguishes them from real ones. */
  samples?: {
    field: NoInfer<F>;
    value: string;
    rows: readonly Readonly<Partial<Record<NoInfer<F>, CellValue>>>[];
  };
  /** A field whose values may be alone above the rows they belong to, as in reports by customer. */
  headedBy?: NoInfer<F>;
  /** Fields of money of a whole record, each with the field of the same money of each row. */
  ofEachRow?: Readonly<Partial<Record<NoInfer<F>, NoInfer<F>>>>;
  /** Sheets of one workbook whose headers agree are read together. */
  severalSheets?: true;
  /** The field that each numbered line of a row must have: "Item 2", "Item 3". */
  lineBy?: NoInfer<F>;
  /**
   * For reports without lines: a required field for which users choose one value, the fields of a line's amount and of a
   * total, and the question.
   */
  oneForAll?: { field: NoInfer<F>; amount: NoInfer<F>; total: NoInfer<F>; question: string };
  /** A text field whose label makes no total unless the amount is the sum of rows above. */
  neverTotal?: NoInfer<F>;
  /** Rules for columns that are not passed over although no field matches them. */
  undecided?: UndecidedRules<NoInfer<F>>;
  /**
   * Rows that their values mark as not to be billed are asked about; see `findRowMarks`. `field`: a column of states that holds
   * back records with some words by itself. `lines`: columns of what is billed; `notes`: columns of free text that may begin
   * with such a word.
   */
  rowMarks?: { field: NoInfer<F>; held: RegExp; lines: readonly NoInfer<F>[]; notes: readonly NoInfer<F>[] };
  /** The field of a currency, and that of amounts for which no other one is written. */
  currency?: { field: NoInfer<F>; usual: string };
  /** Whole exports of programs. */
  layouts?: readonly Layout<NoInfer<F>>[];
  doubtful?: DoubtfulHeaders;
  /** Known columns that are not used, by a name: their headers, and a hint. */
  notTaken?: Readonly<Record<string, { headers: RegExp; hint: string }>>;
};

/** A kind of sheet, ready to be read: its description with what is looked up in it for every file. */
export type SheetKind<F extends string = string> = SheetDescription<F> & {
  /** In the order of the description. */
  names: readonly F[];
  fieldOfKey: ReadonlyMap<string, F>;
  weakFieldOfKey: ReadonlyMap<string, F>;
  keyOfField: ReadonlyMap<F, string>;
};

/** Describes a kind of sheet once, for reading it, asking about it and writing its template. */
export function defineSheet<const F extends string>(description: SheetDescription<F>): SheetKind<F> {
  const names = Object.keys(description.fields) as F[];
  const fieldOfKey = new Map(
    names.flatMap((field) => {
      const { header, synonyms = "" } = description.fields[field];
      return [headerKey(header), ...synonyms.split(" ")].map((key) => [key, field] as const);
    }),
  );
  fieldOfKey.delete("");
  const weakFieldOfKey = new Map(
    names.flatMap((field) =>
      (description.fields[field].weakSynonyms?.split(" ") ?? []).map((key) => [key, field] as const),
    ),
  );
  const keyOfField = new Map(names.map((field) => [field, headerKey(description.fields[field].header)]));
  return { ...description, names, fieldOfKey, weakFieldOfKey, keyOfField };
}
