import { sampleUpload } from "#features/invoices/web/fixtures/uploads.ts";
import { acme, owner, problem, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
const detail = 'Invoice Date "03/04/2026" in C2 may be March 4, 2026 or April 3, 2026.';

test.each([
  ["Upload", "/api/v1/invoices"],
  ["Review", "/api/v1/invoices/checks"],
])("after %s a user chooses the date order, and the same file is sent again", async (button, path) => {
  server.on("GET /api/v1/user", { json: owner() });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: [], connection: "connected" }] },
  });
  server.on("GET /api/v1/invoices", { json: { uploads: [], total_count: 0, in_process: false } });
  server.on(`POST ${path}`, problem(400, detail, "date_order_unclear"));
  server.on("PUT /api/v1/invoices/date-order", { json: {} });
  server.visit("/app/");
  renderPage();
  await screen.findByRole("heading", { level: 2, name: "Results" });
  const file = new File(["PK bytes"], "dates.xlsx", { type: XLSX_MEDIA_TYPE });
  await userEvent.upload(screen.getByLabelText("Spreadsheet to upload"), file);
  await userEvent.click(screen.getByRole("button", { name: button }));
  const question = await screen.findByRole("group", {
    name: "Which comes first?",
  });
  expect(screen.getByText(detail)).toBeTruthy();
  const save = screen.getByRole<HTMLButtonElement>("button", { name: "Save and continue" });
  const radios = screen.getAllByRole<HTMLInputElement>("radio");
  expect([save.disabled, ...radios.map(({ checked }) => checked)]).toEqual([true, false, false]);
  expect(question.textContent).toContain("Day (31/12)");
  await userEvent.click(screen.getByRole("radio", { name: /^Day/ }));
  server.on(`POST ${path}`, { status: 202, json: sampleUpload({ filename: "dates.xlsx" }) });
  server.requests.length = 0;
  await userEvent.click(save);
  const sent = () =>
    server.requests.flatMap(({ method, url, body }) =>
      method === "POST" && url.pathname === path ? [body?.includes("PK bytes")] : [],
    );
  await waitFor(() => expect(sent()).toEqual([true]));
  expect(server.requests.find(({ method }) => method === "PUT")?.body).toBe('{"order":"dmy"}');
  await waitFor(() => expect(screen.queryByText(detail)).toBeNull());
});
