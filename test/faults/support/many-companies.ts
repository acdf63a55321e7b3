import { postInvoices } from "#features/invoices/contract.ts";
import { readReceipt, type Receipt, type ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { NO_LIMITS, type BooksInvoice } from "../../support/intuit.ts";
import { NO_CALLER_LIMITS, startApp, type TestApp } from "../../support/start-app.ts";
import { invoiceRows, invoiceWorkbook, type InvoiceRow } from "../../support/workbooks.ts";
import { readList } from "./uploads.ts";

const OWNER = "owner@acme.example";
const makeRealmId = (index: number) => `9130350000${String(index).padStart(6, "0")}`;
/** Some of them wait for minutes for what a vendor hides. */
const LOOK_MS = 30_000;

export type Numbering = "numbered" | "unnumbered";
export const NUMBERINGS: readonly Numbering[] = ["numbered", "unnumbered"];

/** A company that posts one file while its vendor misbehaves. */
export type Trial = {
  numbering: Numbering;
  invoices: number;
  /** Rules of the simulator; each hits this company only. */
  faults: readonly { fault: string; match?: object; [trait: string]: unknown }[];
};

/** Outcome of a trial: its invoices by the books, and by what the product reported. */
export type Verdict = {
  once: number;
  missing: number;
  doubled: number;
  /** In the books, and not of the file. */
  strangers: number;
  /** Invoices about which the product contradicts the books. */
  untrue: number;
  /** Invoices that the product reported as unresolved. */
  unresolved: number;
  /** How many times the company had to be reconnected. */
  reconnected: number;
};

export const startManyCompanies = () => startApp({ limits: NO_CALLER_LIMITS });

/**
 * Posts a file in a company of its own for each trial, all at once.
 * @param during called when every file has been accepted
 * @returns what became of each, in the order of the trials
 */
export async function postAll(
  app: TestApp,
  trials: readonly Trial[],
  during: (at: { browser: Browser; realmIds: readonly string[] }) => Promise<void> = () => Promise.resolve(),
): Promise<Verdict[]> {
  const browser = app.browser();
  await browser.signIn(OWNER);
  const companies = trials.map((trial, index) => ({ ...trial, realmId: makeRealmId(index) }));
  await seedCompanies(app, companies);
  for (const { realmId } of companies) await browser.connect(OWNER, realmId);
  await app.intuit.control("faults", companies.flatMap(makeRules));
  const files = await Promise.all(companies.map(makeFile));
  for (const { realmId, file } of files) {
    const { status, text } = await browser.call(postInvoices, { query: { realm_id: realmId }, file });
    if (status !== 202) throw new Error(`The upload was refused: ${text}`);
  }
  await during({ browser, realmIds: companies.map(({ realmId }) => realmId) });
  const verdicts = files.map((): Verdict | null => null);
  const reconnected = files.map(() => 0);
  while (verdicts.includes(null)) {
    await app.settle(LOOK_MS);
    for (const [index, company] of files.entries())
      if (verdicts[index] === null) {
        const end = await look(app, browser, company);
        if (end === "reconnected") reconnected[index]! += 1;
        else if (end) verdicts[index] = { ...end, reconnected: reconnected[index]! };
      }
  }
  return verdicts.filter((verdict) => verdict !== null);
}

type Company = Trial & { realmId: string };
type Filed = { realmId: string; rows: readonly InvoiceRow[]; file: { name: string; bytes: Uint8Array } };

async function seedCompanies({ intuit }: TestApp, companies: readonly Company[]): Promise<void> {
  const { users } = await intuit.control<{ users: { sub: string; email: string }[] }>("users");
  const admins = users.filter(({ email }) => email === OWNER).map(({ sub }) => sub);
  await intuit.control("seed", {
    companies: companies.map(({ realmId, numbering }) => ({
      realmId,
      name: `Company ${realmId}`,
      admins,
      limits: NO_LIMITS,
      invoices: 0,
      preferences: { SalesFormsPrefs: { CustomTxnNumbers: numbering === "numbered" } },
    })),
  });
}

const makeRules = ({ realmId, faults }: Company) =>
  faults.map((rule) => ({ ...rule, match: { ...rule.match, realmId } }));

async function makeFile({ realmId, numbering, invoices }: Company, index: number): Promise<Filed> {
  const prefix = numbering === "numbered" ? `N${index}` : "";
  const rows = invoiceRows(invoices, { prefix });
  return { realmId, rows, file: { name: "trial.xlsx", bytes: await invoiceWorkbook(rows) } };
}

type Browser = ReturnType<TestApp["browser"]>;

/** The outcome of a company's upload if it has ended. The company is reconnected when it asks for that. */
async function look(app: TestApp, browser: Browser, { realmId, rows }: Filed) {
  const { in_process: isWorkedOn, uploads } = await readList(browser, realmId);
  const [upload] = uploads;
  if (!isWorkedOn && upload?.counts.open === 0) {
    const said = await readInvoices(browser, realmId, upload.id);
    return compareWithBooks(await app.intuit.invoices(realmId), { rows, said });
  }
  if (!upload?.results.some(({ message }) => message.includes("reconnect the company to QuickBooks")))
    return null;
  await browser.connect(OWNER, realmId);
  return "reconnected";
}

/** The product's report of every invoice of an upload. */
export async function readInvoices(browser: Browser, realmId: string, id: string): Promise<ReceiptInvoice[]> {
  const invoices: ReceiptInvoice[] = [];
  for (let after = -1; ;) {
    const reply = await browser.call(readReceipt, {
      params: { upload_id: id },
      query: { realm_id: realmId, after: String(after), limit: "1000" },
    });
    const { invoices: page, next } = reply.json() as Receipt;
    invoices.push(...page);
    if (next === null) return invoices;
    after = next;
  }
}

/**
 * Compares what the product says with the books. Every invoice of a file has an amount of its own.
 * @param receipt.said of each invoice: `posted` must be in the books, `rejected` and `stopped` must not be
 */
export function compareWithBooks(
  books: readonly BooksInvoice[],
  { rows, said }: { rows: readonly InvoiceRow[]; said: readonly ReceiptInvoice[] },
): Omit<Verdict, "reconnected"> {
  const made = new Map<number, number>();
  for (const { TotalAmt } of books) made.set(toCents(TotalAmt), (made.get(toCents(TotalAmt)) ?? 0) + 1);
  const counts = rows.map(({ Amount }) => made.get(toCents(Number(Amount))) ?? 0);
  const isUntrue = ({ amount, state }: ReceiptInvoice) => {
    const count = made.get(toCents(Number(amount))) ?? 0;
    if (state === "posted") return count === 0;
    return count > 0 && state !== "unresolved";
  };
  return {
    once: counts.filter((count) => count === 1).length,
    missing: counts.filter((count) => count === 0).length,
    doubled: counts.filter((count) => count > 1).length,
    strangers: books.length - counts.reduce((sum, count) => sum + count, 0),
    untrue: said.filter(isUntrue).length + Math.abs(rows.length - said.length),
    unresolved: said.filter(({ state }) => state === "unresolved").length,
  };
}

const toCents = (amount: number) => Math.round(amount * 100);

/** Sums up verdicts. */
export function addVerdicts(verdicts: readonly Verdict[]): Verdict {
  const sum = { once: 0, missing: 0, doubled: 0, strangers: 0, untrue: 0, unresolved: 0, reconnected: 0 };
  for (const verdict of verdicts)
    for (const key of Object.keys(sum) as (keyof Verdict)[]) sum[key] += verdict[key];
  return sum;
}

/** The required result of a battery: each of `count` invoices is in the books once, and reported so. */
export const allOnce = (invoices: number) => ({
  once: invoices,
  missing: 0,
  doubled: 0,
  strangers: 0,
  untrue: 0,
  unresolved: 0,
});
