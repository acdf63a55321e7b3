import { expect, test } from "vitest";
import type { Doc } from "../kit/test-call.ts";
import { readFault, invoiceBody, openTestBooks } from "./test-kit.ts";

const { intuit, acme } = await openTestBooks();
const invoice = (await acme.api("POST", "invoice", { body: invoiceBody() })).body["Invoice"];
const invoiceId = String(invoice?.["Id"]);

const BYTES = Buffer.from(Array.from({ length: 512 }, (_, n) => n % 256));
type File = { metadata?: object | string; type?: string; base64?: boolean };

/** A multipart body written by hand, as the official clients write it. */
async function upload(...files: File[]): Promise<Doc[]> {
  const parts = files.flatMap(({ metadata, type = "application/pdf", base64 }, n) => [
    ...(metadata === undefined
      ? []
      : [
          `--xyz\r\nContent-Disposition: form-data; name="file_metadata_0${n}"\r\nContent-Type: application/json\r\n\r\n` +
            `${typeof metadata === "string" ? metadata : JSON.stringify(metadata)}\r\n`,
        ]),
    `--xyz\r\nContent-Disposition: form-data; name="file_content_0${n}"; filename="pod.pdf"\r\nContent-Type: ${type}\r\n` +
      `Content-Transfer-Encoding: ${base64 ? "base64" : "binary"}\r\n\r\n`,
    base64 ? Buffer.from(BYTES.toString("base64")) : BYTES,
    "\r\n",
  ]);
  const body = Buffer.concat([
    ...parts.map((part) => Buffer.from(part as string)),
    Buffer.from("--xyz--\r\n"),
  ]);
  const answer = await fetch(`${intuit.url}/v3/company/9130357849016936/upload`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${acme.tokens.access}`,
      accept: "application/json",
      "content-type": "multipart/form-data; boundary=xyz",
    },
    body,
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { AttachableResponse: Doc[] }).AttachableResponse;
}

const countFiles = async (id: string) =>
  (await acme.query(`select count(*) from Attachable where Id = '${id}'`)).body["QueryResponse"];

test("queries show a new file only after the requested lag, or the time of its rule", async () => {
  const advance = (seconds: number) => intuit.control("POST", "clock", { advanceMs: 1000 * seconds });
  await intuit.control("PATCH", "settings", { queryLagS: 60 });
  const [first] = await upload({ metadata: linkTo(invoiceId) });
  const id = String(first?.["Attachable"]?.["Id"]);
  expect(await countFiles(id)).toEqual({ totalCount: 0 });
  await advance(61);
  expect(await countFiles(id)).toEqual({ totalCount: 1 });
  await intuit.control("PATCH", "settings", { queryLagS: 0 });

  await intuit.control("POST", "faults", {
    fault: "latency",
    ms: 1,
    hiddenS: 300,
    once: true,
    match: { operation: "upload" },
  });
  const [second] = await upload({ metadata: linkTo(invoiceId) });
  const late = String(second?.["Attachable"]?.["Id"]);
  expect(await countFiles(late)).toEqual({ totalCount: 0 });
  await advance(301);
  expect(await countFiles(late)).toEqual({ totalCount: 1 });
});

const linkTo = (value: string, type = "Invoice") => ({
  AttachableRef: [{ EntityRef: { type, value }, IncludeOnSend: false }],
  FileName: "pod.pdf",
  ContentType: "application/pdf",
});

test("an uploaded file is linked and is downloaded byte for byte through its temporary address", async () => {
  const [answer] = await upload({ metadata: linkTo(invoiceId) });
  const attachable = answer?.["Attachable"];
  expect(attachable).toMatchObject({
    FileName: "pod.pdf",
    Size: 512,
    ContentType: "application/pdf",
    SyncToken: "0",
  });
  const id = String(attachable?.["Id"]);
  expect(id).toMatch(/^5\d{18}$/);
  const link = await acme.api("GET", `download/${id}`);
  expect(link.headers.get("content-type")).toBe("text/plain;charset=utf-8");
  expect(Buffer.from(await (await fetch(link.text)).arrayBuffer()).equals(BYTES)).toBe(true);
  expect((await fetch(link.text.replace(/Signature=./, "Signature=?"))).status).toBe(403);
  await intuit.control("POST", "clock", { advanceMs: 901_000 });
  expect((await fetch(link.text)).status).toBe(403);
  await intuit.control("POST", "clock", { advanceMs: -901_000 });
});

test("a base64 part is decoded", async () => {
  const [answer] = await upload({ metadata: linkTo(invoiceId), base64: true });
  expect(answer?.["Attachable"]?.["Size"]).toBe(512);
});

test("each file has its own answer under status 200: a missing invoice, a wrong type, a broken metadata part", async () => {
  const answers = await upload(
    { metadata: linkTo("75", "Estimate") },
    { metadata: linkTo(invoiceId), type: "application/x-msdownload" },
    { metadata: "not json" },
    { metadata: linkTo("1", "Term") },
    {},
  );
  const codes = answers.map((answer) => answer["Fault"]?.["Error"]?.[0]?.["code"] ?? "stored");
  expect(codes).toEqual(["6000", "6041", "6040", "6050", "stored"]);
  expect(answers[0]?.["Fault"]?.["Error"]?.[0]?.["Detail"]).toContain(
    "The entity Estimate 75 that you are trying to link does not exist",
  );
});

test("an attachable is deleted without a SyncToken", async () => {
  const [answer] = await upload({ metadata: linkTo(invoiceId) });
  const id = answer?.["Attachable"]?.["Id"];
  const deleted = await acme.api("POST", "attachable?operation=delete", { body: { Id: id } });
  expect(deleted.body["Attachable"]).toEqual({ domain: "QBO", status: "Deleted", Id: id });
  expect(readFault(await acme.api("GET", `attachable/${String(id)}`)).code).toBe("610");
});
