import type { CellSpec } from "../../src/formats/xlsx/fixtures/build-xlsx.ts";
import { type Random, createRandom } from "./random.ts";
import { isoDay, type LaidColumn, layOut } from "./money-layouts.ts";
import { type Meaning, type Tool, type ToolColumn, TOOL_SHEETS } from "./money-tools.ts";

/** A line of an invoice, money in cents. `rate100` is the price of a hundred. */
type MadeLine = {
  item: string;
  description: string;
  qty: number;
  rateCents: number;
  discountPercent: number;
  discountCents: number;
  taxCents: number;
  shippingCents: number;
};

export type MadeInvoice = {
  number: string;
  customer: string;
  day: number;
  type: string;
  status: string;
  lines: MadeLine[];
  discountPercent: number;
  discountCents: number;
  shippingCents: number;
  feeCents: number;
  depositCents: number;
  taxCents: number;
  /** Share that is still to be paid. */
  openShare: number;
};

/** How a sheet repeats the money of a whole invoice on its further rows. */
type Repeat = "first" | "each" | "zero";

export type MoneySheet = {
  seed: number;
  tool: string;
  fileName: string;
  bytes: Uint8Array;
  columns: readonly ToolColumn[];
  /** Cents that each invoice must bill without tax; null for one that isn't an invoice or is void. */
  invoices: { number: string; customer: string; items: string[]; cents: number | null }[];
};

export type Names = { customers: readonly string[]; items: readonly string[] };

/** Names without any meaning, for rules that need no books. */
export const MADE_NAMES: Names = {
  customers: ["Beta LLC", "Gamma Inc:East", "O'Neil & Sons", "Delta Supply", "Café Azul"],
  items: ["Widget 9", "Claw Hammer", "Consulting", "Bolt M8", "Design work", "Oil, 5 qt"],
};

/** The same sheet for the same seed. */
export function makeMoneySheet(seed: number, names: Names = MADE_NAMES): MoneySheet {
  const random = createRandom(seed);
  const tool = TOOL_SHEETS[seed % TOOL_SHEETS.length] as Tool;
  const has = new Set(tool.columns.map(({ meaning }) => meaning));
  const used = new Set([...has].filter((meaning) => !OPTIONAL.has(meaning) || random.chance(0.6)));
  const most = has.has("item") ? random.pick([1, 2, 4]) : 1;
  const invoices = Array.from({ length: 1 + random.upTo(5) }, (_, at) =>
    makeInvoice(random, { number: `M${seed}-${at + 1}`, names, used, most }),
  );
  const isWide = most > 1 && has.has("qty") && random.chance(0.15);
  const style = {
    repeat: random.pick(["first", "each", "zero"] as const),
    asText: random.chance(0.3),
    random,
  };
  const { columns, rows } = isWide ? toWide(tool, invoices, style) : toLong(tool, invoices, style);
  const laid = invoices.map(({ number, customer }, at) => ({ number, customer, rows: rows[at] ?? [] }));
  return {
    seed,
    tool: tool.name,
    ...layOut({ columns, invoices: laid }, createRandom(seed + LAYOUTS), {
      name: `sheet-${seed}`,
      isReport: REPORTS.test(tool.name),
    }),
    columns: tool.columns,
    invoices: invoices.map((invoice) => ({
      number: invoice.number,
      customer: invoice.customer,
      items: invoice.lines.map(({ item }) => item),
      cents: isBilled(invoice) ? netCents(invoice) : null,
    })),
  };
}

/** Programs that print each customer alone above its rows. */
const REPORTS = /^QuickBooks (?:Online report|Online, |Desktop)/;

/** Layouts have throws of their own. */
const LAYOUTS = 1_000_000;

/** Money that a sheet may have a column of and no value. */
const OPTIONAL: ReadonlySet<Meaning> = new Set<Meaning>([
  "lineDiscount",
  "discountInNet",
  "lineDiscountPercent",
  "lineTax",
  "lineShipping",
  "discount",
  "discountPercent",
  "shipping",
  "fee",
  "deposit",
  "tax",
]);

function makeInvoice(
  random: Random,
  { number, names, used, most }: { number: string; names: Names; used: Set<Meaning>; most: number },
): MadeInvoice {
  const some = (meaning: Meaning, max: number) =>
    used.has(meaning) && random.chance(0.7) ? 1 + random.upTo(max - 1) : 0;
  const lineShippingCents = random.pick([0, 499, 700]);
  const lines = Array.from({ length: 1 + random.upTo(most - 1) }, (): MadeLine => {
    const qty = random.pick([1, 2, 3, 5, 10, 12, 250, 0.5, 2.25]);
    const rateCents = 500 + random.upTo(9500);
    const base = { item: random.pick(names.items), description: random.pick(DESCRIPTIONS), qty, rateCents };
    const discountCents = some("lineDiscount", 200) + some("discountInNet", 200);
    return {
      ...base,
      discountCents,
      discountPercent: some("lineDiscountPercent", 50),
      taxCents: some("lineTax", 900),
      shippingCents: used.has("lineShipping") ? lineShippingCents : 0,
    };
  });
  const hasType = random.chance(0.15);
  return {
    number,
    customer: random.pick(names.customers),
    day: 46_200 + random.upTo(120),
    lines,
    type: used.has("type") && hasType ? random.pick(["Credit Memo", "Estimate", "Payment"]) : "Invoice",
    status: used.has("status") && hasType ? random.pick(["Void", "cancelled", "Draft", "refunded"]) : "Paid",
    discountPercent: some("discountPercent", 40),
    discountCents: some("discount", 250),
    shippingCents: some("shipping", 3000),
    feeCents: some("fee", 2000),
    depositCents: some("deposit", 400),
    taxCents: some("tax", 2500),
    openShare: random.pick([0, 0.25, 1, 1]),
  };
}

const DESCRIPTIONS = ["Blue, large", "10” pipe – “new”", "Week of May 4…", "It’s the 2nd visit", "", "NULL"];
const NOTHING = ["", "", "", "N/A", "NULL", "nan", "None", "-"];

const isBilled = ({ type, status }: MadeInvoice) => type === "Invoice" && status === "Paid";

/** Halves away from zero, in whole numbers: 2.25 has two decimals at most. */
const timesCents = (qty: number, cents: number) => Math.floor((Math.round(qty * 100) * cents + 50) / 100);
const takePercent = (cents: number, percent: number) => Math.floor((cents * percent + 50) / 100);

const grossCents = ({ qty, rateCents }: MadeLine) => timesCents(qty, rateCents);
const lineDiscountCents = (line: MadeLine) =>
  line.discountCents + takePercent(grossCents(line), line.discountPercent);
const sum = <Item>(items: readonly Item[], value: (item: Item) => number) =>
  items.reduce((all, item) => all + value(item), 0);

const linesCents = ({ lines }: MadeInvoice) =>
  sum(lines, (line) => grossCents(line) - lineDiscountCents(line));
const discountCents = (invoice: MadeInvoice) =>
  invoice.discountCents + takePercent(linesCents(invoice), invoice.discountPercent);

const netCents = (invoice: MadeInvoice): number =>
  linesCents(invoice) -
  discountCents(invoice) +
  invoice.shippingCents +
  sum(invoice.lines, ({ shippingCents }) => shippingCents) +
  invoice.feeCents;

const totalCents = (invoice: MadeInvoice) =>
  netCents(invoice) + invoice.taxCents + sum(invoice.lines, ({ taxCents }) => taxCents);

type Style = { repeat: Repeat; asText: boolean; random: Random };
/** `rows` of each invoice. */
type Cells = { columns: LaidColumn[]; rows: CellSpec[][][] };

function toLong({ columns }: Tool, invoices: readonly MadeInvoice[], style: Style): Cells {
  let running = 0;
  const rows = invoices.map((invoice) =>
    invoice.lines.map((line, at) => {
      running += grossCents(line);
      return columns.map(({ meaning }) => cell(meaning, { invoice, line, at, running }, style));
    }),
  );
  return { columns, rows };
}

/** Lines side by side: Item, Qty, Rate, Item 2, Qty 2, Rate 2. */
function toWide({ columns }: Tool, invoices: readonly MadeInvoice[], style: Style): Cells {
  const perLine = columns.filter(({ meaning }) => WIDE.has(meaning));
  const rest = columns.filter(({ meaning }) => !perLine.some((column) => column.meaning === meaning));
  const most = Math.max(...invoices.map(({ lines }) => lines.length));
  const space = style.random.pick([" ", "", "_"]);
  const firstNumber = style.random.pick(["", `${space}1`]);
  const numbers = Array.from({ length: most }, (_, at) => (at === 0 ? firstNumber : `${space}${at + 1}`));
  return {
    columns: [
      ...rest,
      ...numbers.flatMap((number) =>
        perLine.map(({ header, meaning }) => ({ header: `${header}${number}`, meaning })),
      ),
    ],
    rows: invoices.map((invoice) => {
      const fill = (column: ToolColumn, at: number) => {
        const line = invoice.lines[at];
        return line && cell(column.meaning, { invoice, line, at, running: 0 }, style);
      };
      const first = rest.map((column) => fill(column, 0));
      return [[...first, ...numbers.flatMap((_, at) => perLine.map((column) => fill(column, at)))]];
    }),
  };
}

const WIDE: ReadonlySet<Meaning> = new Set<Meaning>([
  "item",
  "description",
  "qty",
  "rate",
  "gross",
  "net",
  "lineDiscount",
  "lineDiscountPercent",
]);

type Place = { invoice: MadeInvoice; line: MadeLine; at: number; running: number };

function cell(meaning: Meaning, place: Place, style: Style): CellSpec {
  const { invoice, at } = place;
  const text = TEXTS[meaning]?.(place, style.random);
  if (text !== undefined) return text;
  if (meaning === "date" || meaning === "due")
    return style.asText ? isoDay(invoice.day) : { date: invoice.day };
  const numbers = LINE_NUMBERS[meaning]?.(place);
  if (numbers !== undefined) return shown(numbers, style);
  const cents = INVOICE_MONEY[meaning]?.(place);
  if (cents === undefined) throw new Error(`No cell of ${meaning}.`);
  if (at > 0 && style.repeat !== "each") return style.repeat === "zero" ? shown(0, style) : null;
  return shown(cents / (meaning === "discountPercent" ? 1 : 100), style);
}

const TEXTS: Partial<Record<Meaning, (place: Place, random: Random) => string>> = {
  number: ({ invoice }) => invoice.number,
  customer: ({ invoice }) => invoice.customer,
  item: ({ line }) => line.item,
  description: ({ line }) => line.description,
  email: () => "office@beta.example",
  type: ({ invoice }) => invoice.type,
  status: ({ invoice }) => invoice.status,
  words: (_, random) => random.pick(["Thanks", "as agreed", "Standard", ""]),
  none: (_, random) => random.pick(NOTHING),
  code: (_, random) => `A${random.upTo(900)}-${random.upTo(900)}`,
  flag: (_, random) => random.pick(["Y", "N"]),
};

/** Values of a line: quantities and money as numbers. */
const LINE_NUMBERS: Partial<Record<Meaning, (place: Place) => number>> = {
  qty: ({ line }) => line.qty,
  qtyOrdered: ({ line }) => line.qty + 1,
  rate: ({ line }) => line.rateCents / 100,
  rate100: ({ line }) => line.rateCents,
  per: () => 100,
  compare: ({ line }) => (line.rateCents + 250) / 100,
  zero: () => 0,
  gross: ({ line }) => grossCents(line) / 100,
  net: ({ line }) => (grossCents(line) - lineDiscountCents(line)) / 100,
  grossBefore: ({ line }) => grossCents(line) / 100,
  grossWithTax: ({ line }) => (grossCents(line) + line.taxCents) / 100,
  lineDiscount: ({ line }) => line.discountCents / 100,
  discountInNet: ({ line }) => -line.discountCents / 100,
  lineDiscountPercent: ({ line }) => line.discountPercent,
  lineTax: ({ line }) => line.taxCents / 100,
  lineShipping: ({ line }) => line.shippingCents / 100,
  running: ({ running }) => running / 100,
};

/** Values of the whole invoice, in cents or percent. */
const INVOICE_MONEY: Partial<Record<Meaning, (place: Place) => number>> = {
  discount: ({ invoice }) => invoice.discountCents,
  discountPercent: ({ invoice }) => invoice.discountPercent,
  discountOfPercent: ({ invoice }) => discountCents(invoice),
  shipping: ({ invoice }) => invoice.shippingCents,
  fee: ({ invoice }) => invoice.feeCents,
  deposit: ({ invoice }) => invoice.depositCents,
  tax: ({ invoice }) => invoice.taxCents,
  total: ({ invoice }) => totalCents(invoice),
  balance: ({ invoice }) => totalCents(invoice) - invoice.depositCents,
  openBalance: ({ invoice }) => Math.floor(totalCents(invoice) * invoice.openShare),
  subtotal: ({ invoice }) => linesCents(invoice),
  subtotalNet: ({ invoice }) => linesCents(invoice) - discountCents(invoice),
};

function shown(number: number, { asText, random }: Style): CellSpec {
  if (!asText) return number;
  const fixed = Number.isInteger(number * 100) ? number.toFixed(2) : String(number);
  return random.chance(0.5) ? fixed : number < 0 ? `-$${fixed.slice(1)}` : fixed;
}
