import { openDialogs, openAsOwner, problem, startServer, userEvent } from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

const server = await startServer();
beforeEach(openDialogs);

const ID = "00000000-0000-4000-8000-000000000001";
const URL_TEXT = "https://acme.example/hooks";

const webhook = (more: object = {}) => ({
  id: ID,
  url: URL_TEXT,
  events: ["upload.finished"],
  state: "active",
  failing_since: null,
  old_secret_until: null,
  created_at: "2026-11-20T10:00:00.000Z",
  created_by: "olive@acme.example",
  ...more,
});

const message = (more: object) => ({
  id: "00000000-0000-4000-8000-000000000002",
  endpoint_id: ID,
  event: "upload.finished",
  state: "failed",
  attempts: 8,
  answer: "500",
  created_at: "2026-11-20T11:00:00.000Z",
  attempted_at: "2026-11-21T15:00:00.000Z",
  due_at: null,
  ...more,
});

test("OP-15 the admin adds a webhook, sees its secret once, tests it, sends a failed message again, and deletes it after a question", async () => {
  let webhooks: object[] = [];
  let messages: object[] = [];
  const sent: unknown[] = [];
  const note = (what: string, more?: unknown) => void sent.push(more === undefined ? what : [what, more]);
  server.on("GET /api/v1/company/webhooks", () => ({ json: { webhooks, messages } }));
  server.on("POST /api/v1/company/webhooks", ({ body }) => {
    note("add", JSON.parse(body));
    if (sent.length === 1) return problem(400, "Enter an address that begins with https://.");
    webhooks = [webhook()];
    messages = [message({})];
    return { json: { webhook: webhooks[0], secret: "whsec_first" } };
  });
  server.on("POST /api/v1/company/webhooks/test", ({ url }) => {
    note("test", url.searchParams.get("endpoint_id"));
    const delivered = message({
      id: ID,
      event: "webhook.test",
      state: "delivered",
      attempts: 1,
      answer: "200",
    });
    messages = [delivered, ...messages];
    return { json: delivered };
  });
  server.on("POST /api/v1/company/webhooks/replay", ({ url }) => {
    note("replay", url.searchParams.get("message_id"));
    messages = [message({ state: "queued", attempts: 1, due_at: "2026-11-22T10:00:00.000Z" })];
    return { json: messages[0] };
  });
  server.on("POST /api/v1/company/webhooks/secret", () => {
    webhooks = [webhook({ state: "gone" })];
    return { json: { webhook: webhooks[0], secret: "whsec_second" } };
  });
  server.on("PUT /api/v1/company/webhooks", ({ body }) => {
    note("save", JSON.parse(body));
    webhooks = [webhook()];
    return { json: webhooks[0] };
  });
  server.on("DELETE /api/v1/company/webhooks", () => {
    note("delete");
    [webhooks, messages] = [[], []];
    return { json: {} };
  });
  await openAsOwner(server, "/settings/developers/");
  await userEvent.click(await screen.findByRole("button", { name: "Webhooks", description: /None yet$/ }));
  await screen.findByRole("button", { name: "Add webhook" });
  for (const name of [
    "UPS labels made",
    "GS1 labels made",
    "Package delivered",
    "Invoice for an order posted",
    "Invoice accepted by the retailer",
    "Ship notice or invoice rejected by the retailer",
    "Connection to QuickBooks or UPS lost",
  ])
    await userEvent.click(screen.getByRole("checkbox", { name }));
  const address = screen.getByRole("textbox", { name: "Address" });
  await userEvent.fill(address, URL_TEXT);
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByText("Enter an address that begins with https://.")).toBeTruthy();
  await userEvent.type(address, "{Enter}");
  expect(await screen.findByRole("textbox", { name: "The secret" })).toHaveProperty("value", "whsec_first");
  const list = screen.getByRole("list", { name: "Webhooks of this company" });
  await waitFor(() => expect(list.textContent).toMatch(/acme\.example\/hooks.*On · Upload finished/));
  const last = await screen.findByRole("list", { name: "Last messages" });
  for (const fact of ["Failed: 500", "8 attempts"]) expect(within(last).getByText(fact)).toBeTruthy();
  expect(last.textContent).toMatch(/Upload finished.*Failed: 500.*8 attempts.*acme\.example/);

  await userEvent.click(screen.getByRole("button", { name: /^Send a test/ }));
  await waitFor(() => expect(last.textContent).toMatch(/Test.*Delivered/));
  await userEvent.click(screen.getByRole("button", { name: /^Resend\s+Upload finished/ }));
  await waitFor(() => expect(last.textContent).toMatch(/Not accepted: 500\. Next attempt/));

  await userEvent.click(screen.getByRole("button", { name: /^Replace the secret/ }));
  await waitFor(() => expect(list.textContent).toMatch(/Off: the address asked us to stop/));
  expect(screen.queryByRole("button", { name: /^(Send|Resend)/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: /^Turn on/ }));
  await waitFor(() => expect(list.textContent).toMatch(/On · Upload finished/));
  await userEvent.click(within(list).getByRole("button", { name: /^Delete/ }));
  const dialog = await screen.findByRole("dialog", { name: "Delete this webhook?" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Delete the webhook" }));
  expect(await screen.findByRole("button", { name: "Webhooks", description: /None yet$/ })).toBeTruthy();
  const body = { url: URL_TEXT, events: ["upload.finished"] };
  expect(sent).toEqual([
    ["add", body],
    ["add", body],
    ["test", ID],
    ["replay", message({}).id],
    ["save", body],
    "delete",
  ]);
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain("whsec_");
});
