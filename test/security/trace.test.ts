import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { createLog } from "#platform/log.ts";
import { listUploads, postInvoices } from "#features/invoices/contract.ts";
import { ACME } from "../support/intuit.ts";
import { startApp } from "../support/start-app.ts";
import { settledUploads } from "../support/uploads.ts";
import { invoiceRows, invoiceWorkbook } from "../support/workbooks.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;

type Line = { msg: string; path?: string; trace?: string; reqId?: string; run?: string };

/** An application and the lines it logs. */
async function startLogged() {
  const lines: Line[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Line);
      done();
    },
  });
  return { app: await startApp({ log: createLog("info", sink) }), lines };
}

test("the support id and the trace of a request are in its answer, its log lines, its run, and the vendor calls of both", async () => {
  const { app, lines } = await startLogged();
  const owner = await app.owner(ACME);
  const sent = await owner.call(postInvoices, {
    query: { realm_id: ACME },
    file: { name: "one.xlsx", bytes: await invoiceWorkbook(invoiceRows(1, { prefix: "T" })) },
    headers: { traceparent },
  });
  expect(sent.status).toBe(202);
  await settledUploads(owner, ACME);
  const reqId = sent.headers.get("x-request-id");
  const ofTrace = lines.filter(({ trace }) => trace === TRACE);
  expect(new Set(ofTrace.map((line) => line.reqId))).toEqual(new Set([reqId]));
  expect(ofTrace.find(({ msg }) => msg === "Answered")).toMatchObject({ path: "/api/v1/invoices" });
  const calls = ofTrace.filter(({ msg }) => msg === "Outbound call");
  expect(calls.some(({ path, run }) => path?.includes(`/${ACME}/`) && run !== undefined)).toBe(true);
  const others = lines.filter(({ msg, trace }) => msg === "Answered" && trace !== TRACE);
  expect(new Set(others.map(({ trace }) => trace)).size).toBe(others.length);
  expect(others.every(({ trace }) => /^[0-9a-f]{32}$/.test(trace ?? ""))).toBe(true);
});

test.each(["00-4bf92f3577b34da6a3ce929d0e0e4736", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`, 'x"}{'])(
  "a trace that is not valid (%s) is replaced by a new one",
  async (header) => {
    const { app, lines } = await startLogged();
    await app.browser().call(listUploads, { query: { realm_id: ACME }, headers: { traceparent: header } });
    await app.settle();
    expect(lines.find(({ msg }) => msg === "Answered")?.trace).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.stringify(lines)).not.toContain("0".repeat(32));
  },
);
