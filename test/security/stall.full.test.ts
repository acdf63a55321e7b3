import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { GROUPS } from "#contract/endpoint.ts";
import { addOrders } from "#features/orders/contract.ts";
import { LOGROCKET_BYTES, RECORDING_BYTES, UNPACKED_BYTES } from "#features/telemetry/limits.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { ENDPOINTS } from "../../src/main/endpoints.ts";
import { PUBLIC_ROUTES } from "../../src/main/pages.ts";
import { ACME } from "../support/intuit.ts";
import { setGroups } from "../support/members.ts";
import { appOfFile, NO_CALLER_LIMITS } from "../support/start-app.ts";
import { makeSample, toSchema } from "./sample-endpoints.ts";
import { callName, samplePath } from "./walk-endpoints.ts";

/**
 * Nothing that one call sends may keep the server from answering others: each endpoint and route that takes a body gets
 * bodies of its full size, made to be slow. Processor time is measured, so that a busy machine makes no difference; it is
 * that of the whole call, and so never less than its longest stall.
 */
const MAX_STALL_MS = 200;
const JSON_BYTES = 1024 * 1024 - 2_000;
const FORM_FIELD_BYTES = 1_000_000 - 2_000;

/**
 * The worst texts for the patterns that read foreign texts, each repeated to the full size: names of keys and addresses
 * (`secret-patterns.ts`), mail addresses (`emails.ts`), amounts and numbers (`numbers.ts`, `amounts.ts`), payment terms
 * (`rules-names.ts`), queries (`rules-event.ts`), blanks (each trim), XML and number formats, formulas, half characters.
 */
const WORST_TEXTS = ["a-", "a@a.", "0", "net30", "?\n", " \t", "<[\"'`", "=-+@", "\ud83d"];

/** Documents that are slow by their shape, of a size. */
const WORST_SHAPES: Record<string, (size: number) => string> = {
  "deep lists": (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
  "deep objects": (size) => `${'{"a":'.repeat(size / 6)}0${"}".repeat(size / 6)}`,
  "a wide list": (size) => `[${"0,".repeat(size / 2 - 2)}0]`,
  "a list of objects": (size) => `[${"{},".repeat(size / 3 - 2)}{}]`,
  "many keys": (size) =>
    `{${Array.from({ length: size / 13 }, (_, at) => `"k${String(at).padStart(6, "0")}":0`).join(",")}}`,
};

/** Documents within the bounds of what is parsed (`read-json-bodies.ts`), nearly as large as they may be. */
const ALLOWED_SHAPES: Record<string, string> = {
  "lists of lists": "[".repeat(60) + "]".repeat(60),
  "190,000 values": `[${"{},".repeat(94_999)}{}]`,
  "51,000 names": WORST_SHAPES["many keys"]!(51_000 * 13),
};

const FORM = { "content-type": "application/x-www-form-urlencoded" };

const compress = (text: string) => new Uint8Array(gzipSync(text));

/** Bytes of each text alone: this much of it takes seconds where a pattern is slow, and begins where a text begins. */
const ALONE_BYTES = 40_000;

/** Routes that are not endpoints; each takes any content, up to a size. */
const ROUTES: Readonly<Record<string, number>> = {
  "/telemetry/errors": JSON_BYTES,
  "/telemetry/recordings": RECORDING_BYTES,
  "/t/l/i": LOGROCKET_BYTES,
  "/t/l/s": LOGROCKET_BYTES,
  "/logout/": 1_000,
  "/intuit/webhook": JSON_BYTES,
  "/stripe/webhook": 256 * 1024,
  "/webhooks/ups": 64 * 1024,
  "/webhooks/ups/token": 4 * 1024,
};

const app = appOfFile({
  // A file that is accepted is answered when its labels are made.
  worker: "labels",
  limits: {
    ...NO_CALLER_LIMITS,
    reportsPerMinute: 1_000_000,
    steadyReportsPerMinute: 1_000_000,
    vendorCallsPerMinute: 1_000_000,
  },
});

let cookie = "";
beforeAll(async () => {
  const { cookies } = await app().owner(ACME);
  await setGroups(app().db, GROUPS);
  cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
});

/** The shape that an endpoint reads of a body; a DELETE takes the arguments of its query there, too. */
const findShape = ({ body, query, method }: Endpoint) => body ?? (method === "DELETE" ? query : undefined);

const bodied = ENDPOINTS.filter(
  (endpoint) => endpoint.file || (findShape(endpoint) && endpoint.method !== "GET"),
);

/** One that takes a form, one that takes JSON, and all that take more than others. */
const ALL_WAYS: ReadonlySet<Endpoint> = new Set([
  ...bodied.filter(({ file }) => file).slice(0, 1),
  ...bodied.filter(({ file }) => !file).slice(0, 1),
  ...bodied.filter(({ maxBodyBytes }) => maxBodyBytes),
]);

test("each route that takes a body gets the worst ones", () => {
  expect(bodied.length).toBeGreaterThan(70);
  const posts = PUBLIC_ROUTES.filter((route) => !route.startsWith("GET "));
  expect(posts.toSorted()).toEqual(
    Object.keys(ROUTES)
      .map((path) => `POST ${path}`)
      .toSorted(),
  );
});

test.each(bodied.map((endpoint) => [callName(endpoint), endpoint] as const))(
  "UO-16 %s answers the worst bodies of its full size in little time",
  async (_name, endpoint) => {
    const send = (body: string) =>
      fetch(new URL(samplePath(endpoint, ACME), app().url), {
        method: endpoint.method,
        headers: {
          cookie,
          origin: app().url,
          ...(endpoint.file ? {} : { "content-type": "application/json" }),
        },
        body: endpoint.file ? makeForm(endpoint.file.field, body) : body,
      });
    // The first call compiles what it uses. Only those without a key may be unknown.
    const { status } = await read(send("{}"));
    expect(status === 401).toBe(endpoint.access.kind === "key");
    for (const [name, body] of listBodies(endpoint)) {
      const call = async () => expect((await read(send(body))).status, name).not.toSatisfy(isFailure);
      expect(await costMs(call), name).toBeLessThan(MAX_STALL_MS);
    }
  },
);

/** The worst bodies of an endpoint, each with its name. */
function listBodies(endpoint: Endpoint): [string, string][] {
  const size = endpoint.file ? FORM_FIELD_BYTES : (endpoint.maxBodyBytes ?? JSON_BYTES);
  const expected = findShape(endpoint);
  const sample = expected ? makeSample(toSchema(expected)) : {};
  const fill = (bytes: number, parts: readonly string[]) =>
    JSON.stringify(fillTexts(sample, makeText(bytes / Math.max(countTexts(sample), 1), parts)));
  const [field = "x"] = Object.keys(typeof sample === "object" ? (sample ?? {}) : {});
  const inField = (shape: string) =>
    JSON.stringify({ ...(sample as object), [field]: "SHAPE" }).replace('"SHAPE"', () => shape);
  const allowed = Object.entries(ALLOWED_SHAPES).flatMap(([name, shape]): [string, string][] => [
    [name, shape],
    [`${name} in ${field}`, inField(shape)],
  ]);
  // Larger shapes are refused before they are parsed, by one place for bodies and one for forms.
  const refused = ALL_WAYS.has(endpoint) ? Object.entries(WORST_SHAPES) : [];
  return [
    ["every text", fill(size - 2_000, WORST_TEXTS)],
    ...WORST_TEXTS.map((part): [string, string] => [`texts of ${part}`, fill(ALONE_BYTES, [part])]),
    ...allowed,
    ...refused.map(([name, make]): [string, string] => [name, make(size - 10)]),
  ];
}

/** Repeats each part in turn, for a text that has a size in JSON. */
const makeText = (bytes: number, parts: readonly string[]): string =>
  parts.map((part) => part.repeat(bytes / parts.length / (JSON.stringify(part).length - 2))).join("");

const countTexts = (value: unknown): number =>
  typeof value === "string"
    ? 1
    : Object.values(typeof value === "object" ? (value ?? {}) : {})
        .map(countTexts)
        .reduce((sum, count) => sum + count, 0);

function fillTexts(value: unknown, text: string): unknown {
  if (typeof value === "string") return text;
  if (Array.isArray(value)) return value.map((each) => fillTexts(each, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fillTexts(each, text)]));
}

function makeForm(field: string, body: string): FormData {
  const form = new FormData();
  form.set("body", body);
  form.set(field, new Blob(["no workbook"]), "sample.xlsx");
  return form;
}

test.each(Object.entries(ROUTES))(
  "UO-16 POST %s answers the worst bodies of %i bytes in little time",
  async (path, size) => {
    const headers = { origin: app().url, ...(path === "/logout/" ? FORM : {}) };
    const send = (body: string | Uint8Array<ArrayBuffer>) =>
      fetch(new URL(path, app().url), { method: "POST", headers, body, redirect: "manual" });
    await read(send("{}"));
    const shapes = Object.entries(WORST_SHAPES);
    const bodies = [
      ...WORST_TEXTS.map((part) => [part, makeText(size - 10, [part])] as const),
      ...shapes.map(([name, make]) => [name, make(size - 10)] as const),
      ...shapes.map(([name, make]) => [`${name}, compressed`, compress(make(UNPACKED_BYTES))] as const),
    ];
    for (const [name, body] of bodies) {
      const call = async () => expect((await read(send(body))).status, name).not.toSatisfy(isFailure);
      expect(await costMs(call), name).toBeLessThan(MAX_STALL_MS);
    }
  },
);

test("UO-16 a form of a million parts behind a file is refused in little time", async () => {
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.edi"\r\n\r\nISA\r\n';
  const body = Buffer.from(file + "--b\r\n\r\n".repeat(1_000_000));
  const headers = { cookie, origin: app().url, "content-type": "multipart/form-data; boundary=b" };
  const url = new URL(`${addOrders.path}?realm_id=${ACME}`, app().url);
  const call = async () =>
    expect((await read(fetch(url, { method: "POST", headers, body }))).status).toBe(413);
  expect(await costMs(call)).toBeLessThan(MAX_STALL_MS);
});

test.each([
  ["a company that knows none of them", 0],
  ["a company that knows all of them", 1],
])("UO-16 a file of as many orders as are taken at once keeps no one waiting, in %s", async (_, before) => {
  const sets = Array.from({ length: 5_000 }, (__, at) => sampleOrder(at + 1));
  const form = () => {
    const all = new FormData();
    all.set("file", new Blob([sampleFile({ sets })]), "many.edi");
    return all;
  };
  const url = new URL(`${addOrders.path}?realm_id=${ACME}`, app().url);
  const send = () =>
    read(fetch(url, { method: "POST", headers: { cookie, origin: app().url }, body: form() }));
  if (before > 0) await send();
  const [response, stallMs] = await longestStall(send());
  expect(response.status).toBe(200);
  expect(stallMs).toBeLessThan(MAX_STALL_MS);
});

/** Processor time of the longest stretch in which this process came to nothing else. */
async function longestStall<Value>(work: Promise<Value>): Promise<[Value, number]> {
  let isOver = false;
  const end = () => void (isOver = true);
  work.then(end, end);
  let longest = 0;
  for (let before = process.threadCpuUsage(); !isOver;) {
    await new Promise((resolve) => void setImmediate(resolve));
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  }
  return [await work, longest];
}

/** Failed, or refused before anything was read. */
const isFailure = (status: number) => status === 403 || status === 429 || status >= 500;

async function read(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  await response.arrayBuffer();
  return response;
}

/**
 * Processor time of a call; of the best of three where it is much, because memory may have been collected, and a call is
 * dearer while other programs use the processor's caches.
 */
async function costMs(call: () => Promise<void>): Promise<number> {
  const once = async () => {
    const before = process.threadCpuUsage();
    await call();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  let best = await once();
  for (let again = 0; again < 2 && best >= MAX_STALL_MS; again += 1) best = Math.min(best, await once());
  return best;
}
