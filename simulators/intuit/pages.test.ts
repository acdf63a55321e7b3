import { afterAll, beforeAll, expect, test } from "vitest";
import { ACME, invoiceBody, startTestIntuit } from "./test-kit.ts";

const intuit = await startTestIntuit();
let acme: Awaited<ReturnType<typeof intuit.connect>>;
beforeAll(async () => {
  acme = await intuit.connect();
});
afterAll(() => intuit.close());

const pageText = async (path: string) => (await fetch(`${intuit.url}${path}`)).text();
const post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(`${intuit.url}${path}`, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
    headers,
  });

test("the first page lists the companies, and who is connected", async () => {
  const text = await pageText("/");
  for (const name of ["Acme Tools", "Bay Supply", "Newcomer Trading", "Maple Goods", "Una Unverified"])
    expect(text).toContain(name);
  expect(text.match(/>connected</g)).toHaveLength(1);
});

test("a company's page shows a new invoice first, with its lines, and escapes what it displays", async () => {
  const body = invoiceBody({ DocNumber: "P-100", PrivateNote: '<script>"x"</script>' });
  await acme.api("POST", "invoice", { body });
  const text = await pageText(`/qbo/${ACME}`);
  expect(text.indexOf("P-100")).toBeLessThan(text.indexOf("1008"));
  expect(text).toContain("Ace Hardware Supply");
  expect(text).toContain("Installation");
  expect(text).not.toContain("<script");
});

test("a payment and a memo made in the books show in the API", async () => {
  const { body } = await acme.api("POST", "invoice", { body: invoiceBody({ DocNumber: "P-101" }) });
  const id = String(body["Invoice"]?.["Id"]);
  expect((await post(`/qbo/${ACME}/invoices/${id}/pay`)).status).toBe(303);
  expect((await post(`/qbo/${ACME}/invoices/${id}/memo`, { memo: "call first" })).status).toBe(303);
  const { Invoice } = (await acme.api("GET", `invoice/${id}`)).body;
  expect(Invoice).toMatchObject({ Balance: 0, PrivateNote: "call first", SyncToken: "2" });
});

test("a form from another site is refused", async () => {
  const answer = await post(`/qbo/${ACME}/disconnect`, {}, { origin: "http://evil.example" });
  expect(answer.status).toBe(400);
  expect((await acme.api("GET", "preferences")).status).toBe(200);
});

test("disconnecting the app on the books' page ends its tokens", async () => {
  const own = await intuit.connect("9130357849016944");
  expect(await pageText("/qbo/9130357849016944")).toContain("Disconnect Dockside");
  await post("/qbo/9130357849016944/disconnect", { client_id: "dockside-demo" });
  expect((await own.api("GET", "preferences")).status).toBe(401);
  expect(
    (await intuit.token({ grant_type: "refresh_token", refresh_token: own.tokens.refresh })).status,
  ).toBe(400);
  expect(await pageText("/qbo/9130357849016944")).toContain("No app is connected");
});

test("the Apps area opens, connects and disconnects the app at its own addresses", async () => {
  const newcomer = "9130357849016952";
  const urls = { launch_url: "http://localhost:3000/login/", connect_url: "http://localhost:3000/get-app/" };
  await intuit.control("POST", "clients", {
    client_id: "dockside-demo",
    ...urls,
    disconnect_url: "http://localhost:3000/disconnect/",
  });
  expect(await pageText(`/qbo/${newcomer}`)).toContain(
    '<a href="http://localhost:3000/get-app/">Get app now</a>',
  );
  await intuit.connect(newcomer);
  expect(await pageText(`/qbo/${newcomer}`)).toContain(
    '<a href="http://localhost:3000/login/">Open Dockside</a>',
  );
  const answer = await post(`/qbo/${newcomer}/disconnect`, { client_id: "dockside-demo" });
  expect(answer.headers.get("location")).toBe(`http://localhost:3000/disconnect/?realmId=${newcomer}`);
  const policy = (await fetch(`${intuit.url}/qbo/${newcomer}`)).headers.get("content-security-policy");
  expect(policy).toContain("form-action 'self' http://localhost:3000");
});

test("pages load nothing from elsewhere and run no script", async () => {
  const answer = await fetch(`${intuit.url}/qbo/${ACME}`);
  expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'self'/);
  const text = await answer.text();
  expect(text).not.toMatch(/<script|style="|src=|<link[^>]+https?:/);
  expect((await fetch(`${intuit.url}/_assets/simulated.css`)).headers.get("content-type")).toMatch(
    /^text\/css/,
  );
});

test("a browser's last user is preselected on its next visit, as in a session", async () => {
  await intuit.control("POST", "clients", {
    client_id: "suggests",
    secret: "s",
    redirect_uris: ["https://app.example/cb"],
  });
  const query = new URLSearchParams({
    client_id: "suggests",
    response_type: "code",
    scope: "openid",
    redirect_uri: "https://app.example/cb",
    state: "s",
  });
  const address = `${intuit.url}/connect/oauth2?${query}`;
  const suggested = (page: string) => /value="([^"]+)"\s+required\s+checked/.exec(page)?.[1];
  const users = [...(await (await fetch(address)).text()).matchAll(/name="sim_user"\s+value="([^"]+)"/g)];
  const [first, , third] = users.map(([, sub = ""]) => sub);
  expect(suggested(await (await fetch(address)).text())).toBe(first);
  const chosen = await fetch(`${address}&sim_user=${third}`);
  const cookie = (chosen.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  expect(suggested(await (await fetch(address, { headers: { cookie } })).text())).toBe(third);
  // To connect a company, one who has signed in isn't asked who they are, and can say that it isn't them.
  const connect = address.replace("scope=openid", "scope=openid+com.intuit.quickbooks.accounting");
  const asked = await (await fetch(connect, { headers: { cookie } })).text();
  expect(asked).toContain(`name="sim_user" value="${third}"`);
  expect(asked).toContain('sim_user=">Not you?');
  expect(suggested(await (await fetch(`${connect}&sim_user=`, { headers: { cookie } })).text())).toBe(third);
});

test("an address that starts with two slashes is handled as a page and doesn't crash the simulator", async () => {
  expect((await fetch(`${intuit.url}//`)).status).toBe(200);
  expect((await fetch(intuit.url)).status).toBe(200);
});
