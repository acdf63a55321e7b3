import {
  paidInvoice,
  samplePreview as preview,
  sampleRun as run,
} from "#features/invoices/web/fixtures/undos.ts";
import { sampleUpload as upload } from "#features/invoices/web/fixtures/uploads.ts";
import { acme, openDialogs, owner, problem, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

const server = await startServer();
const id = "0198c0de-0000-7000-8000-000000000001";
const UNDO = `/api/v1/invoices/${id}/undo`;

beforeEach(openDialogs);

const share = (invoices: number, amount: string) => ({ invoices, amount });

async function open() {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: [], connection: "connected" }] },
  });
  server.on("GET /api/v1/invoices", { json: { uploads: [upload()], total_count: 1, in_process: false } });
  server.visit("/app/");
  renderPage();
  await userEvent.click(await screen.findByRole("button", { name: "Undo march.xlsx" }));
  return screen.findByRole("dialog", { name: "Undo march.xlsx" });
}

const posts = () => server.requests.filter(({ method, url }) => method === "POST" && url.pathname === UNDO);

test("the dialog lists invoices to undo and those that stay, with the reason; Keep them comes first", async () => {
  server.on(`GET ${UNDO}`, { json: { preview: preview(), run: null } });
  const dialog = await open();
  expect(await within(dialog).findByText("285 invoices ($5,700.00) will be voided.")).toBeTruthy();
  const [going] = within(dialog).getAllByRole("list");
  expect(
    within(going!)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual([
    ...["S-2", "S-3", "S-4", "S-6", "S-7"].map((number) => `${number} Acme, $20.00`),
    "and 280 more",
  ]);
  expect(within(going!).getByRole("link", { name: "Invoice S-2 in QuickBooks" })).toBeTruthy();
  expect(within(dialog).getByText("1 invoice paid")).toBeTruthy();
  expect(within(dialog).getByText("Invoice S-5 has a payment.")).toBeTruthy();
  expect(document.activeElement).toBe(within(dialog).getByRole("button", { name: "Keep them" }));
  await userEvent.click(within(dialog).getByRole("button", { name: "Keep them" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Undo march.xlsx" }));
  expect(posts()).toEqual([]);
});

test("voiding or deleting is chosen, confirmed with the count, followed, and its outcome shown", async () => {
  server.on(`GET ${UNDO}`, { json: { preview: preview(), run: null } });
  const dialog = await open();
  await userEvent.click(await within(dialog).findByRole("radio", { name: /^Delete/ }));
  server.on(`POST ${UNDO}`, { status: 202, json: { run: run({ action: "delete" }) } });
  server.on(`GET ${UNDO}`, { json: { preview: null, run: run({ action: "delete" }) } });
  await userEvent.click(within(dialog).getByRole("button", { name: "Delete 285 invoices" }));
  expect(await within(dialog).findByText("100 invoices deleted so far, 1 left as they were")).toBeTruthy();
  expect(JSON.parse(posts()[0]?.body ?? "")).toEqual({ action: "delete" });
  const counts = { total: 286, completed: 0, problems: 0, open: 0, undone: 285 };
  server.on("GET /api/v1/invoices", {
    json: { uploads: [upload({ counts })], total_count: 1, in_process: false },
  });
  const done = {
    state: "finished" as const,
    sentence: "285 invoices deleted, 1 left.",
    undone: share(285, "5700.00"),
  };
  server.on(`GET ${UNDO}`, { json: { preview: preview({ to_undo: share(0, "0.00") }), run: run(done) } });
  await waitFor(() => expect(screen.getAllByText("285 invoices deleted, 1 left.")).toHaveLength(2));
  expect(within(dialog).queryByRole("button", { name: /^Delete/ })).toBeNull();
  await screen.findByText("Undone");
  await userEvent.click(within(dialog).getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("when nothing can be undone there is nothing to confirm", async () => {
  server.on(`GET ${UNDO}`, { json: { preview: preview({ to_undo: share(0, "0.00") }), run: null } });
  const dialog = await open();
  expect(await within(dialog).findByText("No invoice of this upload can be undone.")).toBeTruthy();
  expect(within(dialog).queryByText("S-2")).toBeNull();
  expect(within(dialog).queryByRole("button", { name: /^Void/ })).toBeNull();
});

test("books that cannot be read are reported", async () => {
  server.on(`GET ${UNDO}`, problem(409, "Reconnect this company to QuickBooks first."));
  const dialog = await open();
  expect(await within(dialog).findByText("Reconnect this company to QuickBooks first.")).toBeTruthy();
});

test("the dialog says whether invoices are voided or deleted, and counts those never posted separately from those that stay", async () => {
  const neverPosted = { reason: "not_posted" as const, ...share(2, "29.00") };
  const paid = { reason: "paid" as const, ...share(1, "20.00") };
  server.on(`GET ${UNDO}`, {
    json: {
      preview: preview({
        to_undo: share(1, "40.00"),
        skipped: share(3, "49.00"),
        skipped_by_reason: [paid, neverPosted],
        left: [paidInvoice, { ...paidInvoice, rows: "7", reason: "not_posted" }],
      }),
      run: null,
    },
  });
  const dialog = await open();
  const main = await within(dialog).findByText("1 invoice ($40.00) will be voided. (2 were never posted.)");
  expect(within(dialog).getByText("1 invoice ($20.00) will stay as they are")).toBeTruthy();
  await userEvent.click(within(dialog).getByRole("radio", { name: /^Delete/ }));
  expect(main.textContent).toBe("1 invoice ($40.00) will be deleted. (2 were never posted.)");
});
