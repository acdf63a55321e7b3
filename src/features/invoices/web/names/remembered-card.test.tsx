import { acme, owner, renderPage, startServer, userEvent } from "#web/test-support.tsx";
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();

test("SH-02 saved names, columns and dates are listed and can be forgotten one by one, and whether rows are billed is changed", async () => {
  let names = [
    { kind: "customer", text: "Acmee", target_id: "7", target_name: "Acme" },
    { kind: "item", text: "WIDG", target_id: "3", target_name: "Widget" },
  ];
  server.on("GET /api/v1/user", { json: owner() });
  server.on("GET /api/v1/company", {
    json: { companies: [{ ...acme, services: [], connection: "connected" }] },
  });
  server.on("GET /api/v1/invoices", { json: { uploads: [], total_count: 0, in_process: false } });
  server.on("GET /api/v1/invoices/names", () => ({ json: { names } }));
  server.on("DELETE /api/v1/invoices/names", ({ url }) => {
    names = names.filter(({ text }) => text !== url.searchParams.get("text"));
    return { json: {} };
  });
  let columns = [
    { header: "Buyer", field: "customer", means: "Customer" },
    { header: "Our notes", field: "ignore", means: null },
  ];
  const values = [{ field: "item", header: "Item", value: "Services" }];
  const like = "Invoice No, Date, Client and 4 more";
  let rowMarks = [{ of: "1!Billable", header: "Billable", value: "No", is_billed: false, files_like: like }];
  server.on("GET /api/v1/invoices/columns", () => ({
    json: { columns, sheets: [], values, row_marks: rowMarks, layouts: [] },
  }));
  server.on("PUT /api/v1/invoices/columns", ({ body }) => {
    const [answer] =
      (JSON.parse(body ?? "") as { row_marks?: { is_billed: boolean | null }[] }).row_marks ?? [];
    if (answer) rowMarks = rowMarks.map((mark) => ({ ...mark, is_billed: answer.is_billed ?? false }));
    else columns = columns.slice(1);
    return { json: {} };
  });
  let order: string | null = "dmy";
  server.on("GET /api/v1/invoices/date-order", () => ({ json: { order } }));
  server.on("PUT /api/v1/invoices/date-order", () => {
    order = null;
    return { json: {} };
  });
  server.visit("/app/");
  renderPage();
  await userEvent.click(await screen.findByRole("link", { name: "Saved matches" }));
  await userEvent.click(await screen.findByRole("button", { name: "Forget Acmee" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Forget Acmee" })).toBeNull());
  expect(screen.getByRole("button", { name: "Forget WIDG" })).toBeTruthy();
  const asked = server.requests.find(({ method }) => method === "DELETE");
  expect(asked?.url.search).toBe("?realm_id=1&kind=customer&text=Acmee");
  expect(document.activeElement?.textContent).toBe("Names");
  const table = await screen.findByRole("table", { name: "Columns" });
  const rows = [...table.querySelectorAll("tr")].map((row) =>
    [...row.children].map((cell) => cell.textContent),
  );
  expect(rows).toEqual([
    ["Header in a file", "Meaning", "Action"],
    ["Buyer", "Customer", "Forget\u00a0Buyer"],
    ["Our notes", "Ignored", "Forget\u00a0Our notes"],
    ["Files without Item", "Services", "Forget\u00a0Files without Item"],
    [
      `Billable: NoFiles like: ${like}`,
      "Don't bill",
      `Bill\u00a0Billable: No. Files like: ${like}Forget\u00a0Billable: No. Files like: ${like}`,
    ],
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Forget Buyer" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Forget Buyer" })).toBeNull());
  const put = server.requests.find(({ method }) => method === "PUT");
  expect(JSON.parse(put?.body ?? "")).toEqual({ columns: [{ header: "Buyer", field: "" }] });
  await userEvent.click(screen.getByRole("button", { name: "Forget Files without Item" }));
  await waitFor(() => expect(server.requests.filter(({ method }) => method === "PUT")).toHaveLength(2));
  expect(JSON.parse(server.requests.findLast(({ method }) => method === "PUT")?.body ?? "")).toEqual({
    columns: [],
    values: [{ field: "item", value: "" }],
  });
  await userEvent.click(screen.getByRole("button", { name: /^Bill Billable: No/ }));
  expect(await screen.findByRole("button", { name: /^Don't bill Billable: No/ })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: /^Forget Billable: No/ }));
  await waitFor(() => expect(server.requests.filter(({ method }) => method === "PUT")).toHaveLength(4));
  expect(JSON.parse(server.requests.findLast(({ method }) => method === "PUT")?.body ?? "")).toEqual({
    columns: [],
    row_marks: [{ of: "1!Billable", value: "No", is_billed: null, files_like: like }],
  });
  expect(screen.getByRole("row", { name: /^Dates such as 03\/04\/2026 Day first: April 3/ })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Forget Dates such as 03/04/2026" }));
  await screen.findByText("No date format saved.");
  const asking = server.requests.find(
    ({ method, url }) => method === "PUT" && url.pathname.endsWith("/date-order"),
  );
  expect(asking?.body).toBe('{"order":null}');
  await userEvent.click(screen.getByRole("button", { name: "Back to uploads" }));
  expect(await screen.findByRole("region", { name: "Upload" })).toBeTruthy();
});
