import { hasCheckDigit, checkDigit } from "#formats/gs1/check-digit.ts";
import { CSET_82 } from "#formats/gs1/element-strings.ts";
import { splitSscc } from "#formats/gs1/sscc.ts";
import { hasRareLetters, unprintableIn } from "#formats/label/measure-text.ts";
import { fixedToNumber } from "#formats/table/amounts.ts";
import { cellNumber, cellText, type ReadRow } from "#formats/table/cells.ts";
import type { Table } from "#formats/table/columns.ts";
import { problemAt, type Found, type Problem } from "#formats/table/problem.ts";
import {
  findCountry,
  findState,
  hasStates,
  ZERO_ZIP_STATES,
  zipStarts,
  type Country,
} from "#features/labels/read-sheet/places.ts";
import { labelSheet, type Field } from "#features/labels/sheet.ts";
import { NUMBER_FIELDS, type LabelRow, type NumberField, type TextField } from "#features/labels/types.ts";
import { DAY_MS } from "#platform/time.ts";

/** Settings and profile that a row is checked against. */
export type RowRules = {
  /** Columns that the profile requires in addition to those of every label. */
  required: readonly Field[];
  /** Number of digits of a store number, zero-padded; null if the length is not fixed. */
  markForDigits: number | null;
  prefixes: readonly string[];
  /** Codes of ship-from addresses. */
  shipFroms: readonly string[];
  /** YYYY-MM-DD */
  today: string;
};

type Context = { row: ReadRow<Field>; note: (field: Field, found: Found) => void; rules: RowRules };

const TEXTS = labelSheet.names.filter((name): name is TextField => !NUMBER_FIELDS.includes(name as never));

/** Checks one row and adds its problems. @returns as much of the row as could be read */
export function readLabelRow(
  table: Table<Field>,
  row: ReadRow<Field>,
  { rules, problems }: { rules: RowRules; problems: Problem[] },
): LabelRow {
  const note = (field: Field, found: Found) => {
    const value = found.value ?? row.cells.get(field)?.shown ?? "";
    problems.push(problemAt(table, { field, row: row.row }, { ...found, value }));
  };
  const context = { row, note, rules };
  const texts = Object.fromEntries(TEXTS.map((field) => [field, oneLine(cellText(row, field))])) as Record<
    TextField,
    string
  >;
  for (const field of listRequired(rules)) if (!row.cells.has(field)) note(field, { code: "required" });
  const country = readCountry(context);
  const state = readState(context, country);
  checkPrintable(context, texts);
  return {
    ...texts,
    row: row.row,
    country: country.alpha2,
    countryNumber: country.numeric,
    state,
    postalCode: readPostalCode(context, country, state),
    markFor: readMarkFor(context),
    gtin: readGtin(context),
    sscc: readSscc(context),
    shipFrom: readShipFrom(context),
    shipDate: readShipDate(context),
    ...readNumbers(context),
  };
}

const oneLine = (text = ""): string =>
  ONE_LINE.test(text) ? text : text.normalize("NFC").replaceAll(/\s+/g, " ");

/** Printable ASCII with single spaces: true for nearly all text. */
const ONE_LINE = /^(?:[!-~]+(?: [!-~]+)*)?$/;

const ALWAYS = labelSheet.names.filter((name) => labelSheet.fields[name].required !== undefined);
const listRequired = ({ required }: RowRules): readonly Field[] => [...new Set([...ALWAYS, ...required])];

const US: Country = { alpha2: "US", numeric: "840" };

function readCountry({ row, note }: Context): Country {
  const text = cellText(row, "country");
  if (text === undefined) return US;
  const country = findCountry(text);
  if (!country) note("country", { code: "country_unknown" });
  return country ?? US;
}

function readState({ row, note }: Context, country: Country): string {
  const text = cellText(row, "state");
  if (!hasStates(country)) {
    if (text !== undefined && text.length > 3)
      note("state", { code: "too_long", params: { length: text.length, max: 3 } });
    return text ?? "";
  }
  if (text === undefined) {
    if (!row.cells.has("state")) note("state", { code: "required" });
    return "";
  }
  const state = findState(country, text);
  if (state === undefined) note("state", { code: "state_unknown", params: { country: country.alpha2 } });
  return state ?? "";
}

const ANY_POSTAL = new RegExp(`^[${CSET_82}]{1,9}$`);

function readPostalCode(context: Context, country: Country, state: string): string {
  const { row, note } = context;
  const text = cellText(row, "postalCode");
  if (text === undefined) return "";
  if (country.alpha2 === "US") return readZip(context, text, state);
  const code = text.toUpperCase().replaceAll(" ", "");
  const isGood = country.alpha2 === "CA" ? /^[A-Z]\d[A-Z]\d[A-Z]\d$/.test(code) : ANY_POSTAL.test(code);
  if (!isGood)
    note("postalCode", { code: country.alpha2 === "CA" ? "postal_code_canada" : "postal_code_other" });
  return country.alpha2 === "CA" ? `${code.slice(0, 3)} ${code.slice(3)}` : code;
}

/** Restores a leading zero that Excel removed, if the state's ZIP codes start with one. */
function readZip({ note }: Context, text: string, state: string): string {
  const [, first, more] = /^(\d{5})(?:-?(\d{4}))?$/.exec(text) ?? [];
  if (first !== undefined) return more === undefined ? first : `${first}-${more}`;
  if (!/^\d{3,4}$/.test(text)) {
    note("postalCode", { code: "zip_not_valid" });
    return "";
  }
  const padded = text.padStart(5, "0");
  if (ZERO_ZIP_STATES.has(state))
    note("postalCode", { code: "zip_padded", severity: "warning", params: { padded } });
  else note("postalCode", { code: "zip_ambiguous", params: zipStarts(state) });
  return padded;
}

function readMarkFor({ row, note, rules: { markForDigits } }: Context): string {
  const text = cellText(row, "markFor") ?? "";
  if (text === "" || markForDigits === null) return text;
  if (!/^\d+$/.test(text) || text.length > markForDigits) {
    note("markFor", { code: "store_digits", params: { digits: markForDigits } });
    return text;
  }
  return text.padStart(markForDigits, "0");
}

function readGtin({ row, note }: Context): string {
  const text = cellText(row, "gtin") ?? "";
  if (text === "") return "";
  const padded = `0${text}`;
  if (/^\d{11}$/.test(text) && hasCheckDigit(padded))
    note("gtin", { code: "gtin_lost_zero", params: { padded } });
  else if (!/^(?:\d{8}|\d{12,14})$/.test(text)) note("gtin", { code: "gtin_digits" });
  else noteCheckDigit(text, (found) => note("gtin", found));
  return text;
}

function readSscc({ row, note, rules: { prefixes } }: Context): string {
  const text = cellText(row, "sscc") ?? "";
  if (text === "") return "";
  const sscc = text.length === 20 && text.startsWith("00") ? text.slice(2) : text;
  if (!/^\d{18}$/.test(sscc)) note("sscc", { code: "sscc_digits" });
  else if (!noteCheckDigit(sscc, (found) => note("sscc", found))) return sscc;
  else if (!prefixes.some((prefix) => splitSscc(sscc, prefix)))
    note("sscc", { code: "sscc_prefix", params: { prefixes: [...prefixes] } });
  return sscc;
}

/** Adds a problem for a wrong check digit. @returns whether the digit is right */
function noteCheckDigit(digits: string, note: (found: Found) => void): boolean {
  if (hasCheckDigit(digits)) return true;
  note({ code: "check_digit", params: { digit: checkDigit(digits.slice(0, -1)) } });
  return false;
}

function readShipFrom({ row, note, rules: { shipFroms } }: Context): string {
  const text = cellText(row, "shipFrom");
  const found = shipFroms.find((code) => code.toLowerCase() === (text ?? "").toLowerCase());
  if (text !== undefined && found === undefined)
    note("shipFrom", { code: "ship_from_unknown", params: { codes: [...shipFroms] } });
  return found ?? "";
}

const YEAR_MS = 366 * DAY_MS;

function readShipDate({ row, note, rules: { today } }: Context): string {
  const date = cellText(row, "shipDate") ?? "";
  if (date !== "" && Math.abs(Date.parse(date) - Date.parse(today)) > YEAR_MS)
    note("shipDate", { code: "ship_date_far", params: { date } });
  return date;
}

type Bounds = { min: number; max: number };

const BOUNDS = {
  qty: { min: 1, max: 99_999_999 },
  carton: { min: 1, max: 9_999 },
  cartonCount: { min: 1, max: 9_999 },
  cartons: { min: 1, max: 1_000 },
} as const;

function readNumbers(context: Context) {
  const { row, note } = context;
  const [qty, carton, cartonCount, cartons] = (["qty", "carton", "cartonCount", "cartons"] as const).map(
    (field) => readInteger(context, field, BOUNDS[field]),
  ) as [number | null, number | null, number | null, number | null];
  if (carton !== null && cartonCount !== null && carton > cartonCount)
    note("carton", { code: "carton_beyond_count", params: { count: cartonCount } });
  if (cartons !== null && cartons > 1)
    for (const field of ["carton", "sscc"] as const)
      if (row.cells.has(field)) note("cartons", { code: "cartons_excluded", params: { other: field } });
  const weight = readWeight(context);
  return { qty: qty ?? 0, carton, cartonCount, cartons: cartons ?? 1, weight };
}

function readInteger({ row, note }: Context, field: NumberField, { min, max }: Bounds): number | null {
  const fixed = cellNumber(row, field);
  if (fixed === undefined) return null;
  const number = fixedToNumber(fixed);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  note(field, { code: "not_an_integer", params: { min, max } });
  return null;
}

function readWeight({ row, note }: Context): number | null {
  const fixed = cellNumber(row, "weight");
  if (fixed === undefined) return null;
  const weight = fixedToNumber(fixed);
  if (weight > 0 && weight <= 9_999) return weight;
  note("weight", { code: "weight_range" });
  return null;
}

function checkPrintable({ note }: Context, texts: Record<TextField, string>): void {
  for (const field of TEXTS) {
    const character = unprintableIn(texts[field]);
    if (character !== undefined) note(field, { code: "not_printable", params: { character } });
    else if (hasRareLetters(texts[field])) note(field, { code: "rare_letters", severity: "warning" });
  }
}
