import { request, type IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { switchCompany } from "#features/companies/contract.ts";
import { createLabels, UPLOAD_HEADER, type ChosenLabels } from "#features/labels/contract.ts";
import { createBrowser, type Browser } from "../test/support/browser.ts";
import { driveIntuit } from "../test/support/intuit.ts";
import { labelWorkbook, setUpLabels } from "../test/support/labels.ts";
import type { Product } from "../test/support/run-product.ts";
import { figure, info, percentile, report, round, spread } from "./support/figures.ts";
import { inNewPlace } from "./support/in-new-place.ts";
import { cpuMs, findServer, peakMb } from "./support/processes.ts";
import { createClient, probe } from "./support/requests.ts";

/**
 * Calls of one company while a member of another asks for 20 large documents at once: PDFs and ZPL of 50,000 labels in
 * forms that differ, and their SSCCs as CSV.
 */
/** Fewer on request, for a slow machine: `npm run bench heavy-calls 10000`. */
const LABELS = Number(process.argv[2] ?? 50_000);
const ALONE_MS = 20_000;
/** Each row has a purchase order of its own: the most work for sorting, and for the list of orders. */
const ORDERS = LABELS / 2;
const ROWS = Array.from({ length: ORDERS }, (_, at) => ({ "PO Number": `PO ${at}`, Cartons: 2 }));
const FORMS = (["file", "po", "store"] as const).flatMap((order): ChosenLabels[] => [
  { order },
  { order, separators: true },
  { order, paper: "letter-2" },
  { order, format: "zpl" },
]);
const LISTS = 20 - FORMS.length;
/** The demo's owner and platform user, each with a company of their own. */
const HEAVY = { email: "owner@acme.example" };
const OTHER = { email: "platform@dockside.example", realmId: "9130357849050077" };

const { alone, beside, again, answers, seconds, cpu, memory } = await inNewPlace(measure);
const [aloneMs, besideMs] = [percentile(alone, 0.95), percentile(beside, 0.95)];
report(`20 documents of ${LABELS} labels beside another company`, [
  info("Calls of the other company alone, p50 / p95 / p99", spread(alone)),
  info("  beside the documents", spread(beside)),
  figure("  p95 beside / alone", besideMs / aloneMs, { most: 2, unit: "×" }),
  figure("Documents that came completely", answers.filter(({ isWhole }) => isWhole).length, {
    least: 20,
    unit: "of 20",
  }),
  info("  time for all of them", `${round(seconds)} s`),
  info("  processor time of the server", `${round(cpu / 1000)} s`),
  info("  memory of the server at the most", `${round(memory)} MB`),
  info("The same document again", `${round(again)} ms`),
]);

async function measure(product: Product) {
  const intuit = driveIntuit(product.intuitUrl);
  await intuit.control("seed", {
    companies: [{ realmId: OTHER.realmId, admins: ["5d1f0c1e-0001-4a5e-9c11-000000000004"] }],
  });
  const [heavy, other] = [createBrowser(product.url, intuit), createBrowser(product.url, intuit)];
  await heavy.signIn(HEAVY.email);
  await other.signIn(OTHER.email);
  await other.connect(OTHER.email, OTHER.realmId);
  await other.call(switchCompany, { query: { realm_id: OTHER.realmId } });
  for (const browser of [heavy, other]) {
    const settings = await setUpLabels(browser);
    if (settings.status !== 200) throw new Error(settings.text);
  }
  const small = await make(other, ROWS.slice(0, 20));
  const large = await make(heavy, ROWS);
  const client = createClient(product.url, other.cookies);
  const paths = [
    "/api/v1/user",
    "/api/v1/labels/uploads",
    `/api/v1/labels/uploads/${small}`,
    `/api/v1/labels/uploads/${small}/labels/7`,
    "/api/v1/labels/ssccs.csv",
    "/api/v1/labels/settings",
    "/app",
  ];
  let turn = 0;
  const work = () => client.get(paths[(turn += 1) % paths.length] ?? "");
  const during = async <T>(happening: Promise<T>): Promise<[number[], T]> => {
    const stop = new AbortController();
    const times = probe(work, stop.signal);
    const result = await happening;
    stop.abort();
    return [await times, result];
  };
  await during(wait(2_000));
  const [alone] = await during(wait(ALONE_MS));
  const server = findServer();
  const [before, started] = [cpuMs(server), performance.now()];
  const [beside, answers] = await during(
    Promise.all([
      ...FORMS.map((form) =>
        print({ product, browser: heavy, path: `/api/v1/labels/uploads/${large}/print`, form }),
      ),
      ...Array.from({ length: LISTS }, () =>
        print({ product, browser: heavy, path: `/api/v1/labels/ssccs.csv?upload_id=${large}`, form: null }),
      ),
    ]),
  );
  const seconds = (performance.now() - started) / 1000;
  const cpu = cpuMs(server) - before;
  const { ms: again } = await print({
    product,
    browser: heavy,
    path: `/api/v1/labels/uploads/${large}/print`,
    form: {},
  });
  client.close();
  return { alone, beside, again, answers, seconds, cpu, memory: peakMb(server) };
}

async function make(browser: Browser, rows: readonly object[]): Promise<string> {
  const file = { name: "labels.xlsx", bytes: await labelWorkbook(rows) };
  const reply = await browser.call(createLabels, { query: {}, file });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.headers.get(UPLOAD_HEADER) ?? "";
}

type Asked = { product: Product; browser: Browser; path: string; form: ChosenLabels | null };

/** Asks for a document, however long it takes, and reads it to its end. */
async function print({ product: { url }, browser, path, form }: Asked) {
  const begun = performance.now();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, origin: url, "content-type": "application/json" };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const call = request(new URL(path, url), { method: form ? "POST" : "GET", headers }, resolve);
  call.on("error", reject).end(form ? JSON.stringify(form) : undefined);
  const response = await promise;
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString("latin1");
  return {
    ms: performance.now() - begun,
    isWhole: response.statusCode === 200 && countLabels(text, form) === LABELS,
  };
}

/** Counts labels by what each has once. */
function countLabels(text: string, form: ChosenLabels | null): number {
  if (form === null) return text.match(/\r\n\d{18},/g)?.length ?? 0;
  if (form.format === "zpl") return text.match(/\^XA/g)?.length ?? 0;
  const pages = text.match(/\/Type\/Page\//g)?.length ?? 0;
  if (form.paper) return pages * 2;
  // All rows are of one store.
  const separators = form.order === "store" ? 1 : ORDERS;
  return pages - (form.separators ? separators : 0);
}
