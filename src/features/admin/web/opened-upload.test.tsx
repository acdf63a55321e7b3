import { openPath, pagePath } from "#features/admin/web/paths.ts";
import { sampleInvoice, sampleReceipt } from "#features/invoices/web/fixtures/receipts.ts";
import { acme, owner, problem, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import { screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";

const server = await startServer();
const { upload_id: id, filename: file } = sampleReceipt();
const READ = `GET /api/v1/admin/uploads/${id}`;
const row = {
  key: id,
  realm_id: acme.id,
  company: acme.name,
  file,
  uploaded_by: "Olive Owner",
  uploaded_at: "2027-03-03T09:42:00Z",
  outcome: "posted",
  invoices: 1,
  posted: 1,
  undone: 0,
  skipped: 0,
  left_out: 0,
  problems: "",
  state: "done",
  cause: null,
};

async function open() {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("GET /api/v1/company", { json: { companies: [] } });
  server.on("GET /api/v1/admin/lists/uploads", {
    json: { list: "uploads", rows: [row], next: null, replica_lag_seconds: 0 },
  });
  const receipt = sampleReceipt({ invoices: [sampleInvoice(7)] });
  server.on(READ, { json: { receipt, ends_at: "2026-03-04T09:42:00Z" } });
  server.visit(openPath(id));
  renderPage();
  await screen.findByText("S-7");
  server.on(READ, problem(403, "First open this company's files.", "support_grant_needed"));
}

const expectClosed = async () => {
  await vi.waitFor(() => screen.getByText("The file and its invoices are closed"));
  expect(screen.queryByText("S-7")).toBeNull();
};

test("OP-13 an opened upload closes when the grant ends", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  await open();
  vi.advanceTimersByTime(60_000);
  await expectClosed();
});

test("OP-13 an upload that is opened again after its grant was ended is closed", async () => {
  await open();
  const path = screen.getByRole("navigation", { name: "Path" });
  await userEvent.click(path.querySelector("a") as Element);
  await screen.findByRole("table");
  await userEvent.click(await screen.findByRole("link", { name: file }));
  expect(pagePath("uploads")).toBe(window.location.pathname);
  await expectClosed();
});
