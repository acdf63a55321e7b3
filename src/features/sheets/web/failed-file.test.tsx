import { sheetEndpoints } from "#features/sheets/contract.ts";
import { FailedFile } from "#features/sheets/web/index.ts";
import { RememberedAnswers } from "#features/sheets/web/remembered.ts";
import { ApiError } from "#web/kit/api-error.ts";
import { LiveRegions } from "#web/kit/live-region.tsx";
import { startServer, userEvent } from "#web/test-support.tsx";
import { theme } from "#web/theme/theme.ts";
import { ThemeProvider } from "@mui/material/styles";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";

const cartons = sheetEndpoints({ path: "/api/v1/cartons" });
const server = await startServer(Object.values(cartons));
const refused = (code: string) =>
  new ApiError({ status: 400, code, message: "It was refused.", requestId: null });
const failed = { file: new File(["Order,Boxes"], "cartons.csv"), copies: 2 };

function show(node: ReactNode) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <ThemeProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <LiveRegions>{node}</LiveRegions>
      </QueryClientProvider>
    </ThemeProvider>,
  );
}

const saved = () => server.requests.find(({ method }) => method === "PUT");
const saveButton = () => screen.findByRole("button", { name: "Save and continue" });

test("columns of another kind of sheet are matched on the same page, and the same file is sent again", async () => {
  server.on("POST /api/v1/cartons/columns", {
    json: {
      sheet: "CSV",
      header_row: 1,
      sheets: [],
      for_all: null,
      layout: null,
      date_question: null,
      currency: null,
      totals: [],
      numbers: null,
      row_marks: [],
      overlaps: [],
      columns: [
        {
          header: "Order",
          column: "A",
          sheets: [],
          samples: ["0042"],
          field: null,
          guess: null,
          reason: null,
          sum: null,
          choices: [],
          examples: [],
        },
      ],
      fields: [{ field: "po", header: "PO", required: true, unless: [] }],
    },
  });
  server.on("PUT /api/v1/cartons/columns", { json: {} });
  const send = vi.fn<(again: typeof failed) => void>();
  const error = refused("template_mismatch");
  show(<FailedFile endpoints={cartons} realmId="1" failed={failed} error={error} send={send} />);
  await userEvent.selectOptions(
    await screen.findByRole("combobox", { name: "Meaning of column A, Order" }),
    "PO (required)",
  );
  await userEvent.click(await saveButton());
  await waitFor(() => expect(send).toHaveBeenCalledWith(failed));
  expect(saved()?.body).toBe('{"columns":[{"header":"Order","field":"po"}]}');
});

test("the date order of another kind of sheet is asked on the same page, and the same file is sent again", async () => {
  server.on("PUT /api/v1/cartons/date-order", { json: {} });
  const send = vi.fn<(again: typeof failed) => void>();
  const error = refused("date_order_unclear");
  show(<FailedFile endpoints={cartons} realmId="1" failed={failed} error={error} send={send} />);
  await userEvent.click(screen.getByRole("radio", { name: /^Month/ }));
  await userEvent.click(await saveButton());
  await waitFor(() => expect(send).toHaveBeenCalledWith(failed));
  expect(saved()?.body).toBe('{"order":"mdy"}');
});

test("saved choices are listed and can be deleted", async () => {
  server.on("GET /api/v1/cartons/columns", {
    json: {
      columns: [{ header: "Order", field: "po", means: "PO" }],
      sheets: [],
      values: [],
      row_marks: [],
      layouts: [],
    },
  });
  server.on("GET /api/v1/cartons/date-order", { json: { order: null } });
  server.on("PUT /api/v1/cartons/columns", { json: {} });
  show(<RememberedAnswers endpoints={cartons} realmId="1" />);
  await userEvent.click(await screen.findByRole("button", { name: "Forget Order" }));
  await waitFor(() => expect(saved()?.body).toBe('{"columns":[{"header":"Order","field":""}]}'));
  expect(await screen.findByText("No date format saved.")).toBeTruthy();
});
