import { countInvoices } from "#features/invoices/web/fixtures/uploads.ts";
import { ResultsList } from "#features/invoices/web/results/results-list.tsx";
import { LiveRegions } from "#web/kit/live-region.tsx";
import { createQueryClient } from "#web/kit/query-client.ts";
import { recordingReporter, startServer } from "#web/test-support.tsx";
import { theme } from "#web/theme/theme.ts";
import { ThemeProvider } from "@mui/material/styles";
import { QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { Profiler } from "react";
import { BrowserRouter } from "react-router";
import { expect, test } from "vitest";

const server = await startServer();

const list = (message: string) => ({
  uploads: [
    {
      id: "0199f000-0000-7000-8000-000000000001",
      filename: "march.xlsx",
      timestamp: "2027-01-05T10:00:00.000Z",
      results: [{ status: 0, rows: "2-3", message }],
      result_count: 1,
      counts: { total: 2, completed: 2, problems: 0, open: 0 },
      invoices: countInvoices({ total: 2, completed: 2, problems: 0, open: 0 }),
      uploaded_by: "Olive Owner",
      fixes: [],
    },
  ],
  total_count: 1,
  in_process: false,
});

test("PF-05 a poll without changes renders nothing; one with changes does", async () => {
  const queries = createQueryClient(recordingReporter().reporter);
  let drawn = 0;
  server.on("GET /api/v1/invoices", { json: list("2 invoices posted.") });
  render(
    <BrowserRouter>
      <ThemeProvider theme={theme}>
        <QueryClientProvider client={queries}>
          <Profiler id="results" onRender={() => (drawn += 1)}>
            <ResultsList realmId="1" />
          </Profiler>
        </QueryClientProvider>
      </ThemeProvider>
    </BrowserRouter>,
  );
  fireEvent.click(await screen.findByRole("button", { expanded: false }));
  await screen.findByText("2 invoices posted.");
  const before = drawn;
  const calls = server.requests.length;
  for (let count = 0; count < 3; count += 1) await act(() => queries.refetchQueries());
  expect(server.requests.length).toBe(calls + 3);
  expect(drawn).toBe(before);
  server.on("GET /api/v1/invoices", { json: list("3 invoices posted.") });
  await act(() => queries.refetchQueries());
  await screen.findByText("3 invoices posted.");
  expect(drawn).toBeGreaterThan(before);
  queries.clear();
});

test("a partly undone upload shows the number of undone invoices beside those that need fixing", async () => {
  const counts = { total: 17, completed: 0, problems: 2, open: 0, undone: 15 };
  const [upload] = list("").uploads;
  server.on("GET /api/v1/invoices", {
    json: { ...list(""), uploads: [{ ...upload, counts, invoices: countInvoices(counts) }] },
  });
  const queries = createQueryClient(recordingReporter().reporter);
  render(
    <BrowserRouter>
      <ThemeProvider theme={theme}>
        <QueryClientProvider client={queries}>
          <ResultsList realmId="1" />
        </QueryClientProvider>
      </ThemeProvider>
    </BrowserRouter>,
  );
  await screen.findByText("2 need fixing");
  expect(screen.getByText("15 undone")).toBeTruthy();
  queries.clear();
});

test("AY-07 uploads that end in one poll are announced in one sentence, a single one by its name", async () => {
  const queries = createQueryClient(recordingReporter().reporter);
  const toCounts = (open: number) => {
    const counts = { total: 5, completed: open > 0 ? 0 : 4, problems: open > 0 ? 0 : 1, open };
    return { counts, invoices: countInvoices(counts) };
  };
  const upload = (number: number, open: number) => ({
    ...list("").uploads[0],
    id: `0199f000-0000-7000-8000-00000000000${number}`,
    filename: `file-${number}.xlsx`,
    ...toCounts(open),
  });
  const answer = (...open: number[]) =>
    server.on("GET /api/v1/invoices", {
      json: { uploads: open.map((rows, at) => upload(at + 1, rows)), total_count: 3, in_process: false },
    });
  answer(5, 5, 5);
  render(
    <BrowserRouter>
      <ThemeProvider theme={theme}>
        <QueryClientProvider client={queries}>
          <LiveRegions>
            <ResultsList realmId="1" />
          </LiveRegions>
        </QueryClientProvider>
      </ThemeProvider>
    </BrowserRouter>,
  );
  await screen.findByText("file-1.xlsx");
  const announced: string[] = [];
  const region = document.querySelector("[role=status][aria-live]");
  if (!region) throw new Error("There is no live region.");
  new MutationObserver(() => announced.push(region.textContent)).observe(region, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  answer(0, 0, 5);
  await act(() => queries.refetchQueries());
  await waitFor(() =>
    expect(announced).toEqual(["2 uploads finished: 8 of 10 invoices posted · $8.00 · 2 need fixing"]),
  );
  answer(0, 0, 0);
  await act(() => queries.refetchQueries());
  await waitFor(() =>
    expect(announced.slice(1)).toEqual([
      "file-3.xlsx finished: 4 of 5 invoices posted · $4.00 · 1 needs fixing",
    ]),
  );
  queries.clear();
});
