/**
 * Numbers of all sheets of a file, from which its total follows for any answers. Small enough to be sent to a page, which computes
 * the total of 10,000 rows after each answer. By place of the row.
 */
export type SheetNumbers = {
  /** Place of each row's sheet among those that can be read together. */
  sheets: number[];
  /** Record of each row. */
  records: number[];
  /** By place of the column; a percentage is a text, "10%", and a cell without a number null. */
  columns: (number | string | null)[][];
  /** Cents of further lines in the same row. */
  further: number[];
  /** For each question about rows: the place of the row's value, or null. */
  marks: (number | null)[][];
};

export type FileTotal = { records: number; cents: number };

/** Places of the columns of each field: sheets may have columns of their own for it. */
export type ColumnsOfField = ReadonlyMap<string, readonly number[]>;

type Answers = {
  isRead: (sheet: number) => boolean;
  /** Whether the rows of a value, by question and place, are not billed. */
  isLeftOut: (question: number, value: number) => boolean;
};

/** Hundred-thousandths; enough decimals for quantities and rates. */
const SCALE = 100_000;
const PER_CENT = 1_000;

/** Adds up what would be billed: lines, less discounts, plus charges, which count once for each record. */
export function addUp(
  { sheets, records, columns, further, marks }: SheetNumbers,
  columnsOf: ColumnsOfField,
  { isRead, isLeftOut }: Answers,
): FileTotal {
  const cells = (field: string) => joinColumns((columnsOf.get(field) ?? []).map((at) => columns[at] ?? []));
  const [qty, rate, amount] = [cells("qty"), cells("rate"), cells("amount")];
  const [off, offPercent] = [cells("lineDiscount"), cells("lineDiscountPercent")];
  const perRow = [cells("lineShipping"), cells("lineFee")];
  const perRecord = [cells("shipping"), cells("fee")];
  const discounts = [cells("discount"), cells("discountPercent")] as const;
  const totals = new Map<number, { net: number; charges: number; once: (Cell | undefined)[] }>();
  records.forEach((record, row) => {
    const isOut = marks.some((values, question) => {
      const value = values[row] ?? null;
      return value !== null && isLeftOut(question, value);
    });
    if (isOut || !isRead(sheets[row] ?? 0)) return;
    const total = totals.get(record) ?? { net: 0, charges: 0, once: [] };
    totals.set(record, total);
    const line = { qty: qty[row], rate: rate[row], amount: amount[row] };
    total.net += discounted(line, off[row], offPercent[row]) + (further[row] ?? 0);
    for (const column of perRow) total.charges += toCents(read(column[row]));
    [...perRecord, ...discounts].forEach((column, at) => {
      if (read(total.once[at]) === 0) total.once[at] = column[row];
    });
  });
  let cents = 0;
  for (const { net, charges, once } of totals.values()) {
    const [shipping, fee, discount, percent] = once;
    cents += net - takenOff(net, discount, percent) + charges + toCents(read(shipping)) + toCents(read(fee));
  }
  return { records: totals.size, cents };
}

/** The sum of a column's numbers in the sheets that are read, in cents. */
export const addColumn = (
  { sheets, columns }: SheetNumbers,
  column: number,
  isRead: Answers["isRead"],
): number =>
  toCents(
    (columns[column] ?? []).reduce<number>(
      (sum, cell, row) => (isRead(sheets[row] ?? 0) ? sum + figure(cell) : sum),
      0,
    ),
  );

type Cell = number | string | null;

/** The value of each row: a row has it in the column of its sheet. */
const joinColumns = ([first = [], ...others]: readonly Cell[][]): readonly Cell[] =>
  others.length === 0
    ? first
    : first.map((cell, row) => cell ?? others.map((column) => column[row] ?? null).find(isNumber) ?? null);

type Line = { qty: Cell | undefined; rate: Cell | undefined; amount: Cell | undefined };

/** An amount that has the discount subtracted already is net; any other one is the full price. */
function discounted({ qty, rate, amount }: Line, off: Cell | undefined, percent: Cell | undefined): number {
  const product = isNumber(qty) && isNumber(rate) ? multiply(read(qty), read(rate)) : null;
  const given = isNumber(amount) ? toCents(read(amount)) : null;
  if (product !== null && given === product - takenOff(product, off, percent)) return given;
  const gross = given ?? product ?? 0;
  return gross - takenOff(gross, off, percent);
}

/** Reads a discount from the first of its two columns with a value; the check compares them. */
function takenOff(cents: number, off: Cell | undefined, percent: Cell | undefined): number {
  if (read(off) !== 0) return typeof off === "string" ? ofHundred(cents, figure(off)) : toCents(read(off));
  return ofHundred(cents, figure(percent));
}

const isNumber = (cell: Cell | undefined): cell is number | string => cell !== null && cell !== undefined;

/** Hundred-thousandths of the number that a cell shows, of "10%" those of 10; 0 for a blank one. */
const figure = (cell: Cell | undefined): number =>
  isNumber(cell) ? Math.round(Number.parseFloat(String(cell)) * SCALE) : 0;

/** Hundred-thousandths of a cell's value; those of "10%" are a hundredth of what it shows. */
const read = (cell: Cell | undefined): number =>
  typeof cell === "string" ? Math.round(figure(cell) / 100) : figure(cell);

const toCents = (fixed: number): number => round(fixed / PER_CENT);

const ofHundred = (cents: number, percent: number): number => round((cents * percent) / (100 * SCALE));

/** Beyond the numbers that JavaScript has exactly, in whole ones of any length. */
function multiply(qty: number, rate: number): number {
  const product = qty * rate;
  if (Number.isSafeInteger(product)) return round(product / (SCALE * PER_CENT));
  const divisor = BigInt(SCALE * PER_CENT);
  const exact = BigInt(qty) * BigInt(rate);
  const half = exact < 0n ? -divisor / 2n : divisor / 2n;
  return Number((exact + half) / divisor);
}

/** Halves away from zero. */
const round = (value: number): number => Math.sign(value) * Math.round(Math.abs(value));
