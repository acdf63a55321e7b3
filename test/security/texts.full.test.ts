import { createConnection } from "node:net";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Endpoint } from "#contract/endpoint.ts";
import { ENDPOINTS } from "../../src/main/endpoints.ts";
import type { Browser } from "../support/browser.ts";
import { ACME } from "../support/intuit.ts";
import { writeWorkbook } from "#formats/xlsx/write-workbook.ts";
import { postInvoices } from "#features/invoices/contract.ts";
import { appOfFile, startApp, type TestApp } from "../support/start-app.ts";
import { settledUploads } from "../support/uploads.ts";
import { invoiceLine } from "../support/workbooks.ts";
import { makeSample, toSchema, type Schema } from "./sample-endpoints.ts";
import { expectProblem, callName } from "./walk-endpoints.ts";

const OWNER = "owner@acme.example";

/** Characters that no text may have, by the name they have in a test. */
const HOSTILE = {
  "U+0000": "\u0000",
  "U+0001": "\u0001",
  "U+001F": "\u001f",
  "U+007F": "\u007f",
  "U+0085": "\u0085",
  "half of a pair": "\ud83d",
  "the other half": "\udc00",
};

/** Texts that may have several lines: messages and cell contents. */
const MANY_LINES = [
  "POST /api/v1/contact message",
  "POST /api/v1/invoices/customers name",
  "PUT /api/v1/invoices/names text",
  "DELETE /api/v1/invoices/names text",
  "PUT /api/v1/invoices/columns columns.0.header",
  "PUT /api/v1/company/order-folder private_key",
];

type Place = "params" | "query" | "body";
type TextInput = { endpoint: Endpoint; place: Place; path: string };

/** The paths of all texts of a schema, closed lists of words left out. */
function findTexts(schema: Schema, path: string[] = []): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((each) => findTexts(each, path));
  if (schema.type === "object")
    return Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      findTexts(each, [...path, name]),
    );
  if (schema.type === "array") return schema.items ? findTexts(schema.items, [...path, "0"]) : [];
  return schema.type === "string" && !schema.enum && schema.const === undefined ? [path.join(".")] : [];
}

/** Calls with API keys refuse each order by itself; `src/features/orders/api/take-orders.test.ts` sends such texts there. */
const ofPages = ENDPOINTS.filter(({ access }) => access.kind !== "key");

const inputs: TextInput[] = ofPages.flatMap((endpoint) =>
  (["params", "query", "body"] as const).flatMap((place) => {
    const shape = endpoint[place];
    return shape ? findTexts(toSchema(shape)).map((path) => ({ endpoint, place, path })) : [];
  }),
);

/** Puts a text at a path such as "columns.0.header". */
function withText(value: unknown, [name, ...rest]: string[], text: string): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value))
    return value.map((each: unknown, index) => (String(index) === name ? withText(each, rest, text) : each));
  const object = value as Record<string, unknown>;
  return { ...object, [name]: withText(object[name], rest, text) };
}

/** Percent signs for every byte; a lone surrogate as the three bytes that are not UTF-8. */
const inAddress = (text: string) =>
  text
    .replaceAll(/[\ud800-\udfff]/gu, (half) =>
      [
        0xe0 | (half.charCodeAt(0) >> 12),
        0x80 | ((half.charCodeAt(0) >> 6) & 63),
        0x80 | (half.charCodeAt(0) & 63),
      ]
        .map((byte) => `\u0000${byte.toString(16)}`)
        .join(""),
    )
    .split(/(\u0000[89a-f][0-9a-f])/)
    .map((part) => (/^\u0000[89a-f]/.test(part) ? `%${part.slice(1)}` : encodeURIComponent(part)))
    .join("");

/** A good request, except that one of its texts is another one. */
function requestWith({ endpoint, place, path }: TextInput, text: string) {
  const part = (name: Place) => {
    const shape = endpoint[name];
    const sample = shape ? makeSample(toSchema(shape)) : {};
    return (name === place ? withText(sample, path.split("."), text) : sample) as Record<string, unknown>;
  };
  const address = endpoint.path.replaceAll(/:(\w+)/g, (_match, name: string) =>
    inAddress(String(part("params")[name])),
  );
  const query = Object.entries(part("query")).map(([name, value]) => `${name}=${inAddress(String(value))}`);
  const body = endpoint.body ? JSON.stringify(part("body")) : undefined;
  return { path: `${address}?${query.join("&")}`, body };
}

const cookieHeader = (browser: Browser) => [...browser.cookies].map((pair) => pair.join("=")).join("; ");

async function send(app: TestApp, browser: Browser, input: TextInput, text: string) {
  const { path, body } = requestWith(input, text);
  const form = new FormData();
  if (input.endpoint.file) form.set(input.endpoint.file.field, new Blob(["x"]), "a.xlsx");
  const answer = fetch(`${app.url}${path}`, {
    method: input.endpoint.method,
    headers: {
      cookie: cookieHeader(browser),
      origin: app.url,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(input.endpoint.file ? { body: form } : body === undefined ? {} : { body }),
  });
  const response = await app.clock.during(answer);
  if (response.status >= 400) return expectProblem(response.headers, await response.text());
  await response.body?.cancel();
  return { status: response.status, detail: "" };
}

const MANY = { signInsPerMinute: 10_000, uploadsPerMinute: 10_000 };
/** A refused call leaves the product as it was. */
const unchanged = appOfFile({ worker: false, limits: MANY });

async function startWalk(app = unchanged()) {
  const browser = await app.owner(ACME);
  await sql`update app_user set groups = '{app,brainchild,admin}' where email = ${OWNER}`.execute(app.db);
  return { app, browser };
}

test("the walk covers texts in every kind of place", () => {
  const names = inputs.map(({ endpoint, place, path }) => `${callName(endpoint)} ${place} ${path}`);
  expect(names).toContain("POST /api/v1/contact body message");
  expect(names).toContain("PUT /api/v1/invoices/columns body columns.0.header");
  expect(names).toContain("DELETE /api/v1/invoices/names query text");
  expect(names).toContain("GET /api/v1/invoices/:upload_id/results params upload_id");
  expect(names.length).toBeGreaterThan(45);
});

test.each(Object.entries(HOSTILE))(
  "every text of every endpoint refuses %s with 400 and a sentence",
  async (_name, character) => {
    const { app, browser } = await startWalk();
    const wrong: string[] = [];
    for (const input of inputs) {
      const { status, detail } = await send(app, browser, input, `a${character}b`);
      if (status !== 400)
        wrong.push(`${callName(input.endpoint)} ${input.place} ${input.path}: ${status} ${detail}`);
    }
    expect(wrong).toEqual([]);
  },
);

test("a line break or tab is accepted in multi-line texts only, and valid texts are not refused for their characters", async () => {
  const { app, browser } = await startWalk(await startApp({ worker: false, limits: MANY }));
  for (const input of inputs) {
    const name = `${callName(input.endpoint)} ${input.path}`;
    const broken = await send(app, browser, input, "a\nb\tc");
    if (MANY_LINES.includes(name)) expect(broken.detail, name).not.toContain("control characters");
    else expect(broken.status, name).toBe(400);
    const plain = await send(app, browser, input, "Zoë's café ~ 1/2 & ÿ");
    expect(plain.detail, name).not.toContain("control characters");
    expect(plain.status, name).not.toBe(500);
  }
});

test.each(Object.entries(HOSTILE).filter(([name]) => name.startsWith("U+")))(
  "a file whose name contains %s is refused with 400 at every call that accepts files",
  async (_name, character) => {
    const { app, browser } = await startWalk();
    for (const endpoint of ENDPOINTS.filter(({ file }) => file)) {
      const body = `--b\r\nContent-Disposition: form-data; name="${endpoint.file?.field}"; filename="a${character}b.xlsx"\r\n\r\nx\r\n--b--\r\n`;
      const response = await fetch(`${app.url}${endpoint.path}?realm_id=${ACME}`, {
        method: endpoint.method,
        headers: {
          cookie: cookieHeader(browser),
          origin: app.url,
          "content-type": "multipart/form-data; boundary=b",
        },
        body,
      });
      expect(response.status, callName(endpoint)).toBe(400);
      expectProblem(response.headers, await response.text());
    }
  },
);

test.each(Object.entries(HOSTILE))(
  "a header with %s in it is answered 400 or 403, never 500",
  async (_name, character) => {
    const { app, browser } = await startWalk();
    for (const header of ["X-Realm-Id", "If-None-Match", "X-Forwarded-For", "Origin"]) {
      const { hostname, port } = new URL(app.url);
      const status = await new Promise<number>((resolve, reject) => {
        const socket = createConnection(Number(port), hostname, () =>
          socket.write(
            `GET /api/v1/invoices HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookieHeader(browser)}\r\n` +
              `${header}: 12${character}3\r\nConnection: close\r\n\r\n`,
          ),
        );
        let text = "";
        socket.on("data", (chunk) => (text += chunk.toString()));
        socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])));
        socket.on("error", reject);
      });
      // Only the company is one of our texts; the product does not read the others.
      expect(header === "X-Realm-Id" ? [400, 403] : [200, 400], header).toContain(status);
    }
  },
);

test("no control character in a sheet's cells is sent to QuickBooks", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const dirt = "\u0001\u001f\u007f\u0085\ufeff";
  const row = {
    ...invoiceLine("C-1"),
    Customer: `Cool${dirt} Cars`,
    Item: `Claw${dirt} Hammer`,
    Description: `Steel${dirt}, two\nlines`,
    "Customer Memo": `Memo${dirt}`,
    "Private Note": `Note${dirt}`,
  };
  const columns = Object.keys(row).map((header) => ({ header }));
  const bytes = await writeWorkbook([
    { name: "Invoices", columns, rows: [Object.values(row) as (string | number)[]] },
  ]);
  await browser.call(postInvoices, { query: { realm_id: ACME }, file: { name: "cells.xlsx", bytes } });
  await settledUploads(browser, ACME);
  const sent = (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber === "C-1");
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
  expect(JSON.stringify(sent)).not.toMatch(/\\u00[01]|[\u007f-\u009f\ufeff]/);
  expect(sent).toMatchObject([{ PrivateNote: "Note", Line: [{ Description: "Steel, two\nlines" }, {}] }]);
});
