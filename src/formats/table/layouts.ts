import type { CellValue, Sheet, SheetRow } from "../xlsx/workbook.ts";
import type { ColumnChoices } from "./column.ts";
import { headerKey, headerText, isBlank } from "./header-text.ts";
import type { ByAmount, Layout } from "./define-sheet.ts";
import { formatMoney } from "./amounts.ts";
import { amountCents, lineCents, plainNumber, readNumber } from "./line-amounts.ts";
import { withCell } from "./headings.ts";
import { showCell } from "./texts.ts";

/** Share of a layout's headers that a sheet must have. */
const ENOUGH = 0.8;
/** Programs write at most a few lines above their headers. */
const HEADER_ROWS = 10;

/** Key of the choice whether a layout is used; no key of a header has such a mark. */
export const layoutChoiceKey = (name: string): string => `${PREFIX}${name}`;
/** Key of another meaning of a column in a layout. */
export const layoutColumnKey = (name: string, header: string): string =>
  `${PREFIX}${name}!${headerKey(header)}`;

const PREFIX = "export!";
export const isLayoutKey = (key: string): boolean => key.startsWith(PREFIX);

/** Stored choices: the layout is used, or the sheet is something else. */
export const USED = "used";
export const NOT_USED = "not_used";

/** A sheet as its layout says it is read. */
export type WithLayout = {
  sheet: Sheet;
  /** Answers of users, and meanings by the layout. */
  chosen: ColumnChoices | undefined;
  layout: Layout | null;
  isConfirmed: boolean;
};

/** Recognizes the export that a sheet is of, and reads the sheet by it unless a user said that it is something else. */
export function applyLayout(
  { layouts = [] }: { layouts?: readonly Layout[] | undefined },
  sheet: Sheet,
  chosen?: ColumnChoices,
): WithLayout {
  const found = findLayout(layouts, sheet);
  const choice = found && chosen?.get(layoutChoiceKey(found.layout.name));
  if (!found || choice === NOT_USED) return { sheet, chosen, layout: null, isConfirmed: false };
  const { layout, row } = found;
  const headers = row.cells.map(headerText);
  const formed = [layout.joined, ...(layout.sums ?? [])].flatMap((each) => each?.header ?? []);
  const meanings = readMeanings(layout, [...headers, ...formed], chosen);
  const answers = new Map(chosen);
  for (const [key, own] of meanings) {
    const meaning =
      typeof own === "object" ? meaningByAmount(own, key, { sheet, row, headers, meanings }) : own;
    answers.set(key, meaning);
  }
  return {
    sheet: rewrite(sheet, { layout, row, headers }),
    chosen: answers,
    layout,
    isConfirmed: choice === USED,
  };
}

/** Meanings of the columns: a user's choice, else the layout's own, by the key of its header. */
function readMeanings(
  { name, columns }: Layout,
  headers: readonly string[],
  chosen: ColumnChoices | undefined,
): Written["meanings"] {
  const usual = new Map(Object.entries(columns).map(([header, meaning]) => [headerKey(header), meaning]));
  const ofLayout = headers.flatMap((header) => {
    const meaning = usual.get(headerKey(header));
    return meaning === undefined ? [] : [[headerKey(header), meaning] as const];
  });
  // Also of columns that are added later.
  const prefix = layoutColumnKey(name, "");
  const ofUsers = [...(chosen ?? [])].flatMap(([key, meaning]) =>
    key.startsWith(prefix) ? [[key.slice(prefix.length), meaning] as const] : [],
  );
  return new Map([...ofLayout, ...ofUsers]);
}

type Found = { layout: Layout; row: SheetRow };

type Written = {
  sheet: Sheet;
  row: SheetRow;
  headers: readonly string[];
  meanings: ReadonlyMap<string, Layout["columns"][string]>;
};

/** The meaning of a discount by its rows: all amounts in rows with one are full prices, or it is subtracted from some. */
function meaningByAmount(
  { ifFull, ifSubtracted }: ByAmount,
  discountKey: string,
  { sheet, row, headers, meanings }: Written,
): string {
  const columns = headers.flatMap((header, index) => {
    const field = meanings.get(headerKey(header));
    return typeof field === "string" ? [{ field, header, index }] : [];
  });
  const product = columns.filter(({ field }) => field !== "amount");
  const at = headers.findIndex((header) => headerKey(header) === discountKey);
  const discounted = sheet.rows.filter(
    ({ number, cells }) =>
      number > row.number && Number(plainNumber(cells[at])?.toString().replace("%", "")) > 0,
  );
  const isFull = ({ cells }: SheetRow) => amountCents(columns, cells) === lineCents(product, cells);
  return discounted.every(isFull) ? ifFull : ifSubtracted;
}

function findLayout(layouts: readonly Layout[], sheet: Sheet): Found | null {
  if (layouts.length === 0 || sheet.state !== "visible") return null;
  for (const row of sheet.rows) {
    if (row.number > HEADER_ROWS) return null;
    const layout = matchHeaders(layouts, row.cells);
    if (layout) return { layout, row };
  }
  return null;
}

function matchHeaders(layouts: readonly Layout[], cells: Cells): Layout | null {
  const keys = new Set(cells.map((cell) => headerKey(headerText(cell))));
  const shares = layouts.map((layout) => ({ layout, share: readShare(layout, keys) }));
  const [best] = shares.toSorted((a, b) => b.share - a.share);
  return best && best.share >= ENOUGH ? best.layout : null;
}

const readShare = ({ headers }: Layout, keys: ReadonlySet<string>): number =>
  headers.filter((header) => keys.has(headerKey(header))).length / headers.length;

type Cells = readonly SheetRow["cells"][number][];

type Formed = {
  header: string;
  /** Its place in the sheet, if the sheet has it already: a workbook of problem rows does. */
  index: number | undefined;
  of: readonly number[];
  form: (cells: Cells) => CellValue | undefined;
};

/** Lists the columns that a layout forms of others. */
function listFormed({ joined, sums = [] }: Layout, headers: readonly string[]): Formed[] {
  const places = (names: readonly string[]) =>
    names
      .map((name) => headers.findIndex((header) => headerKey(header) === headerKey(name)))
      .filter((index) => index >= 0);
  return [
    ...(joined ? [{ header: joined.header, of: places(joined.of), join: joinTexts }] : []),
    // Without its price, a discount alone isn't an amount.
    ...sums.map(({ header, of }) => ({
      header,
      of: places(of.slice(0, 1)).length > 0 ? places(of) : [],
      join: addNumbers,
    })),
  ].flatMap(({ header, of, join }) => {
    const form = (cells: Cells) => join(of.flatMap((index) => cells[index] ?? []));
    return of.length === 0 ? [] : [{ header, index: places([header])[0], of, form }];
  });
}

/** Adds the columns that the layout forms of others. A value that such a column has already counts. */
function rewrite(sheet: Sheet, { layout, row, headers }: Found & { headers: readonly string[] }): Sheet {
  const formed = listFormed(layout, headers);
  if (formed.length === 0) return sheet;
  const width = sheet.rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0);
  const rows = sheet.rows.map((each) => {
    if (each.number < row.number) return each;
    return formed.reduce((line, { header, index = -1, form }, at) => {
      const own = each.cells[index];
      if (own !== undefined && !isBlank(own)) return line;
      const cell = each.number === row.number ? header : form(each.cells);
      return cell === undefined ? line : withCell(line, index < 0 ? width + at : index, cell);
    }, each);
  });
  const formedOf = new Map(
    formed.flatMap(({ index, of: [first] }, at) =>
      index === undefined && first !== undefined ? [[width + at, first] as const] : [],
    ),
  );
  return { ...sheet, formedOf, rows };
}

/** Lists the cells that the layout of a table forms of others, by the index of their column. */
export function findFormed(
  { layouts = [] }: { layouts?: readonly Layout[] | undefined },
  headers: Cells,
  chosen: ColumnChoices,
): ReadonlyMap<number, Formed["form"]> {
  const layout = matchHeaders(layouts, headers);
  if (!layout || chosen.get(layoutChoiceKey(layout.name)) === NOT_USED) return new Map();
  const formed = listFormed(layout, headers.map(headerText));
  return new Map(formed.flatMap(({ index, form }) => (index === undefined ? [] : [[index, form] as const])));
}

/** "Ann" and "Lee" are "Ann Lee". */
const joinTexts = (cells: readonly CellValue[]): CellValue | undefined => {
  const text = cells.flatMap((cell) => (isBlank(cell) ? [] : showCell(cell))).join(" ");
  return text === "" ? undefined : text;
};

/** Undefined if a cell isn't a number, so that a user is asked for it. */
const addNumbers = (cells: readonly CellValue[]): CellValue | undefined => {
  const numbers = cells.flatMap((cell) => (isBlank(cell) ? [] : [readNumber(cell)]));
  if (numbers.length === 0 || numbers.includes(undefined)) return undefined;
  return formatMoney(numbers.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n));
};
