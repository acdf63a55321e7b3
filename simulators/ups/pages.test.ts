import { expect, test } from "vitest";
import { readPackages, shipBody, startTestUps } from "./test-kit.ts";

const ups = await startTestUps();
const acme = await ups.connect();

async function ship(changes: Record<string, unknown> = {}): Promise<string> {
  const { body } = await acme("POST", "shipments/v2409/ship", shipBody(changes));
  return String(body["ShipmentResponse"]!["ShipmentResults"]!["ShipmentIdentificationNumber"]);
}

const pageText = async (path: string) => (await fetch(`${ups.url}${path}`)).text();
const post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(`${ups.url}${path}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
    headers,
  });
const lastStatus = async (number: string) =>
  readPackages(await acme("GET", `track/v1/details/${number}`))[0]!["activity"]![0]!["status"];

test("the packages page shows packages with their state, newest first, and finds them; it escapes names", async () => {
  expect(await pageText("/packages")).toContain("No packages");
  const first = await ship();
  const second = await ship({ "Shipment.ShipTo.Name": '<script>"x"' });
  expect(await pageText("/")).toContain('href="/packages"');
  const text = await pageText("/packages");
  expect(text.indexOf(second)).toBeLessThan(text.indexOf(first));
  expect(text).toContain("billed to R9H77W");
  expect(text).not.toContain("<script");
  expect(await pageText(`/packages?find=${first}`)).not.toContain(second);
});

test("DM-02 (moving packages) a package moves forward to its delivery, one event at a time", async () => {
  const number = await ship();
  for (const code of ["OR", "DP", "AR", "OT", "FS"]) {
    const answer = await post(`/packages/${number}/advance`);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/packages#${number}`]);
    expect(await lastStatus(number)).toMatchObject({ code });
  }
  const over = await post(`/packages/${number}/advance`);
  expect([over.status, await over.text()]).toEqual([400, expect.stringContaining("Nothing more happens")]);
  expect((await post("/packages/1Z/advance")).status).toBe(404);
});

test("a package follows the script chosen for it", async () => {
  const number = await ship();
  expect((await post(`/packages/${number}/scenario`, { scenario: "exception" })).status).toBe(303);
  await ups.control("POST", "packages/move", { tracking: number, to: "exception" });
  expect(await lastStatus(number)).toMatchObject({ type: "X", statusCode: "048" });
  await expect(ups.control("POST", "packages/move", { tracking: number, to: "returned" })).rejects.toThrow(
    "no more",
  );
  expect((await post(`/packages/${number}/scenario`, { scenario: "magic" })).status).toBe(400);
});

test("a form from another site is refused", async () => {
  const number = await ship();
  const answer = await post(`/packages/${number}/advance`, {}, { origin: "http://evil.example" });
  expect(answer.status).toBe(400);
  expect(await lastStatus(number)).toMatchObject({ code: "MP" });
});

test("a label is shown upright, as a picture in the page", async () => {
  const number = await ship();
  const text = await pageText(`/labels/${number}`);
  const [, picture = ""] = /src="data:image\/png;base64,([^"]+)"/.exec(text) ?? [];
  const bytes = Buffer.from(picture, "base64");
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([800, 1200]);
  expect((await fetch(`${ups.url}/labels/1Z`)).status).toBe(404);
});

test("DM-02 (forms of a browser) pages let a browser name their own origin with a form, which it doesn't do when referrers are off", async () => {
  for (const path of ["/", "/packages"])
    expect((await fetch(`${ups.url}${path}`)).headers.get("referrer-policy")).toBe("same-origin");
  const own = await post(`/packages/${await ship()}/advance`, {}, { origin: ups.url });
  const foreign = await post(`/packages/${await ship()}/advance`, {}, { origin: "null" });
  expect([own.status, foreign.status]).toEqual([303, 400]);
});
