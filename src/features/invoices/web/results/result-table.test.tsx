import { ResultTable, WINDOW_FROM } from "#features/invoices/web/results/result-table.tsx";
import { describeStatus } from "#features/invoices/web/results/rules.ts";
import { toneIcons } from "#web/kit/icon.tsx";
import { layOut } from "#web/test-support.tsx";
import { theme } from "#web/theme/theme.ts";
import { ThemeProvider } from "@mui/material/styles";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

let undoLayout: () => void;
beforeEach(() => {
  undoLayout = layOut({ clientHeight: 440, clientWidth: 800, offsetHeight: 44 });
});
afterEach(() => {
  cleanup();
  undoLayout();
});

async function draw(count: number) {
  const rows = Array.from({ length: count }, (_, index) => ({
    status: 0,
    rows: String(index + 2),
    message: "1 invoice posted.",
    invoices: 1,
  }));
  render(
    <ThemeProvider theme={theme}>
      <ResultTable rows={rows} label="Results of march.xlsx" />
    </ThemeProvider>,
  );
  const table = screen.getByRole("table", { name: "Results of march.xlsx" });
  await within(table).findAllByRole("cell");
  const drawn = within(table)
    .getAllByRole("row")
    .map((row) => Number(row.getAttribute("aria-rowindex")));
  return { table, drawn };
}

test("UP-41 up to 200 rows are all rendered", async () => {
  expect((await draw(WINDOW_FROM)).drawn).toEqual(Array.from({ length: 201 }, (_, index) => index + 1));
});

test("UP-41 of 10,000 rows only those in view are rendered, and the total count is shown", async () => {
  const { table, drawn } = await draw(10_000);
  expect(table.getAttribute("aria-rowcount")).toBe("10001");
  expect(drawn.slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect(drawn.length).toBeLessThan(60);
  expect(screen.getByRole("rowgroup", { name: "Results of march.xlsx" }).tabIndex).toBe(0);
});

test("PR-02 printing renders all rows of a long upload, and afterwards only those in view", async () => {
  const count = WINDOW_FROM + 100;
  const { table } = await draw(count);
  const rows = () => within(table).getAllByRole("row").length;
  const before = rows();
  expect(before).toBeLessThan(count);
  fireEvent(window, new Event("beforeprint"));
  expect(rows()).toBe(count + 1);
  fireEvent(window, new Event("afterprint"));
  expect(rows()).toBe(before);
});

test("a problem reported by QuickBooks shows the reference that Intuit's support asks for", () => {
  const rows = [
    { status: 3, rows: "2", message: "QuickBooks rejected invoice A-1.", intuit_tids: ["1-63f"] },
  ];
  render(
    <ThemeProvider theme={theme}>
      <ResultTable rows={rows} label="Results of march.xlsx" />
    </ThemeProvider>,
  );
  expect(screen.getByText("Intuit reference 1-63f").closest("[role=cell]")?.textContent).toContain(
    "QuickBooks rejected invoice A-1.",
  );
});

test('UP-54 two posted invoices are joined by "and", more are shown as a range from first to last', () => {
  const posted = ["S-3", "S-6"].map((number) => ({ number, link: `https://books.example/${number}` }));
  const rows = [
    { status: 0, rows: "2-3", message: "2 invoices posted.", invoices: 2, posted },
    { status: 0, rows: "5-8", message: "4 invoices posted.", invoices: 4, posted },
  ];
  render(
    <ThemeProvider theme={theme}>
      <ResultTable rows={rows} label="Results of march.xlsx" />
    </ThemeProvider>,
  );
  const cells = screen
    .getAllByText(/posted\.$/)
    .map((message) => message.closest("[role=cell]")?.textContent);
  expect(cells).toEqual(["2 invoices posted. S-3 and S-6", "4 invoices posted. First S-3, last S-6"]);
});

test("SC-202 each tone has its own icon", () => {
  expect(new Set([0, 2, 3, 7, 100].map((code) => toneIcons[describeStatus(code).tone])).size).toBe(5);
});
