import type { CellValue, SheetRow } from "../xlsx/workbook.ts";
import type { SheetKind } from "./define-sheet.ts";
import { headerKey, isBlank } from "./header-text.ts";
import type { Headers } from "./headers.ts";
import { type GroupOfRows, groupTable, isByRow } from "./records.ts";
import { cleanText, showCell } from "./texts.ts";
import { holdsTimes, showTime, timeField } from "./times.ts";

/**
 * A column that may be the number or the time of records, with two rows that would become one record although they differ in
 * it. `isLikely`: other rows agree in it, so that it is hardly one of their own.
 */
export type KeyLike = {
  index: number;
  header: string;
  field: string;
  rows: [number, number];
  isLikely: boolean;
};

/** Headers for numbers of things and persons within a record. */
const OTHER_HEADERS =
  /sku|upc|ean$|gtin|barcode|isbn|asin|mpn|(?:^|mfg|our|customer|client|buyer|vendor)part|product|item|variant|serial|^lot|batch|model|size|dimension|colou?r|phone|fax|mobile|zip|postal|postcode|weight|(?<!on|off|pipe|air|dead)line|^row|seq|^pos|position|account|contact|vendor|supplier|employee|^rep|salesrep|staff|user|buyer|tracking|carton|sscc|tax|vat|^gl|^hs|tariff|url|^ip|year|month|week|day$|date|time$|period|address|street|suite|^unit|room|version|revision|class|department|region|zone|^sort|^display|categ|^cost|phase|shift|type$/;

/** Headers that name a record, whatever comes before: "Online Order", "Vendor booking no". Not one of its lines. */
const RECORD_HEADERS =
  /(?<!^(?:sort|display|line|row))(?:order|booking|ticket|invoice|sale|job|load|trip|shipment|receipt|reservation|delivery)(?:id|no|nr|num|number|ref|reference|code|key)?$/;
/** Headers under which also a name is one of a record: "Kitchen" and "Bath" are two jobs. */
const NAMED_RECORDS =
  /^(?:our|the|sales|work|service)?(?:order|job|ticket|booking|project|matter|event)(?:name|title)?$/;

/** Headers under which a whole number is a name, not a count. */
const NUMBER_HEADERS = /(?:id|no|nr|num|number|ref|reference|code|key)$|order|job|ticket|invoice|sale$/;

/** "SO-1001", "#2101", "113-4455667-8899001", "a1b2c3d4-…": short, with a digit, in one word. */
const CODE = /^#?[\p{L}\d][\p{L}\d#._/:-]{0,63}$/u;
const DECIMAL = /^-?[\d,]*\.\d+$/;

/** Headers of times at which a row was handled or canceled, and of lengths of time. */
const NO_TIMES =
  /scan|updat|modif|edit|chang|import|export|sync|upload|print|void|cancel|refund|delet|reject|duration|hours|hrs|elapsed|length|break|lunch|worked|spent/;

/**
 * Finds unmatched columns that look like numbers or times of records and differ between rows that would become one record:
 * without a number of their own, rows of one customer and day belong together.
 */
export function findKeyLike(
  kind: SheetKind,
  rows: readonly SheetRow[],
  { columns, unmatched, ignored }: Pick<Headers, "columns" | "unmatched" | "ignored">,
): KeyLike[] {
  const { grouping, rowMarks } = kind;
  if (!grouping || !rowMarks) return [];
  const time = timeField(kind);
  const isTimed = time === undefined || columns.some(({ field }) => field === time);
  const mayBeTime = (header: string) => !isTimed && !NO_TIMES.test(headerKey(header));
  const candidates = unmatched.flatMap((column) => {
    const key = headerKey(column.header);
    const isTime = holdsTimes(rows, column.index);
    const isAsked = isTime ? mayBeTime(key) : mayNameRecords(key) && holdsCodes(rows, column.index, key);
    return isAsked ? [{ ...column, isTime }] : [];
  });
  if (candidates.length === 0) return [];
  const cellsOf = new Map(rows.map(({ number, cells }) => [number, cells]));
  const groups = groupTable({ kind, columns, rows }, { orders: new Map(), latinOnly: false }).filter(
    (group) => isByRow(group) && group.rows.length > 1,
  );
  const max = kind.fields[grouping.key]?.max ?? Infinity;
  const readIn = (index: number) => (row: number) => readText(cellsOf.get(row)?.[index]);
  /** For each row of the groups the first row that agrees with it. */
  const divide = (index: number) =>
    groups.flatMap((group) => {
      const firsts = new Map<string, number>();
      return group.rows.map((row) => {
        const first = firsts.get(readIn(index)(row)) ?? row;
        firsts.set(readIn(index)(row), first);
        return first;
      });
    });
  // A start and an end that divide the rows alike are one question.
  const answered = ignored.filter(({ index, header }) => mayBeTime(header) && holdsTimes(rows, index));
  const known = new Set(answered.map(({ index }) => divide(index).join()));
  return candidates.flatMap(({ index, header, isTime }): KeyLike[] => {
    const pair = findDiffering(groups, readIn(index));
    if (!pair) return [];
    if (!isTime || !time) {
      const isShort = rows.every(({ number }) => readIn(index)(number).length <= max);
      const field = isShort ? grouping.key : grouping.fallbackKey;
      return [{ index, header, field, rows: pair, isLikely: true }];
    }
    const divided = divide(index);
    if (known.has(divided.join())) return [];
    known.add(divided.join());
    return [{ index, header, field: time, rows: pair, isLikely: new Set(divided).size < divided.length }];
  });
}

/** The first two rows of one record that differ. */
function findDiffering(
  groups: readonly GroupOfRows[],
  read: (row: number) => string,
): [number, number] | undefined {
  for (const { rows } of groups) {
    const first = rows.find((row) => read(row) !== "");
    const other = rows.find((row) => first !== undefined && ![read(first), ""].includes(read(row)));
    if (first !== undefined && other !== undefined) return [first, other];
  }
  return undefined;
}

const mayNameRecords = (key: string): boolean => RECORD_HEADERS.test(key) || !OTHER_HEADERS.test(key);

/** Whether every filled cell of a column is a code, or may be the name of a record. */
function holdsCodes(rows: readonly SheetRow[], index: number, key: string): boolean {
  if (NAMED_RECORDS.test(key))
    return rows.some(({ cells }) => typeof cells[index] === "string" && !DECIMAL.test(cells[index]));
  const isNumbered = NUMBER_HEADERS.test(key) || areNumbers(rows, index);
  let filled = 0;
  for (const { cells } of rows) {
    const cell = cells[index];
    if (cell === undefined || isBlank(cell)) continue;
    filled += 1;
    if (!isCode(cell, isNumbered)) return false;
  }
  return filled > 1;
}

/** Whole numbers of one length, too long for counts: 884213, 884214. Money of one length is hardly ever whole. */
function areNumbers(rows: readonly SheetRow[], index: number): boolean {
  const texts = rows.flatMap(({ cells }) => {
    const cell = cells[index];
    return cell === undefined || isBlank(cell) ? [] : [cleanText(showCell(cell))];
  });
  const length = texts[0]?.length ?? 0;
  return length > 4 && texts.every((text) => text.length === length && /^[1-9]\d+$/.test(text));
}

function isCode(cell: CellValue, isNumbered: boolean): boolean {
  if (typeof cell === "number") return isNumbered && Number.isInteger(cell) && cell > 0;
  if (typeof cell !== "string") return false;
  const text = cleanText(cell);
  if (!CODE.test(text) || !/\d/.test(text) || DECIMAL.test(text) || DATE.test(text)) return false;
  return isNumbered || /[\p{L}#-]/u.test(text);
}

const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})/;

const readText = (cell: CellValue | undefined): string => (cell === undefined ? "" : showTime(cell));
