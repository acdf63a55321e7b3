import { ThemeProvider } from "@mui/material/styles";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RecordTable } from "#features/sheets/web/record-table.tsx";
import { layOut, userEvent } from "#web/test-support.tsx";
import { theme } from "#web/theme/theme.ts";

let undoLayout: () => void;
beforeEach(() => {
  undoLayout = layOut({ clientHeight: 440, clientWidth: 800, offsetHeight: 440, offsetWidth: 800 });
});
afterEach(() => {
  cleanup();
  undoLayout();
});

type Parcel = { id: number; name: string; weight: number };

const parcels = (count: number): Parcel[] =>
  Array.from({ length: count }, (_, id) => ({ id, name: `Parcel ${id + 1}`, weight: (id * 7) % 100 }));

function draw(rows: readonly Parcel[]) {
  render(
    <ThemeProvider theme={theme}>
      <RecordTable
        title="Parcels"
        label="Parcels of friday.xlsx"
        searchLabel="Name"
        rows={rows}
        columns={[
          { head: "Name", text: ({ name }) => name, isSearched: true },
          {
            head: "Weight",
            text: ({ weight }) => `${weight} lb`,
            order: ({ weight }) => weight,
            isNumber: true,
          },
        ]}
        filters={[
          { name: "All", holds: () => true },
          { name: "Heavy", holds: ({ weight }) => weight > 90 },
        ]}
        rowKey={({ id }) => id}
        openLabel={({ name }) => `Contents of ${name}`}
        opened={({ name }) => <p>{name} has three hammers.</p>}
      />
    </ThemeProvider>,
  );
  return screen.getByRole("table", { name: "Parcels of friday.xlsx" });
}

const firstNames = () =>
  screen
    .getAllByRole("button", { name: /^Contents of / })
    .slice(0, 3)
    .map((button) => button.getAttribute("aria-label")?.replace("Contents of ", ""));

test("UP-47 only visible rows of 10,000 records are rendered, and the table reports the full count", () => {
  const table = draw(parcels(10_000));
  expect(table.getAttribute("aria-rowcount")).toBe("10001");
  expect(within(table).getAllByRole("row").length).toBeLessThan(60);
});

test("UP-47 records sort by value in both directions, with numbers in names sorted as numbers", async () => {
  draw(parcels(12).toReversed());
  await userEvent.click(screen.getByRole("button", { name: "Name" }));
  expect(firstNames()).toEqual(["Parcel 1", "Parcel 2", "Parcel 3"]);
  await userEvent.click(screen.getByRole("button", { name: "Weight" }));
  expect(firstNames()).toEqual(["Parcel 1", "Parcel 2", "Parcel 3"]);
  await userEvent.click(screen.getByRole("button", { name: "Weight" }));
  expect(firstNames()).toEqual(["Parcel 12", "Parcel 11", "Parcel 10"]);
  expect(screen.getByRole("columnheader", { name: "Weight" }).getAttribute("aria-sort")).toBe("descending");
});

test("UP-47 records are searched by the searchable columns and filtered with counts, with a message when none match", async () => {
  draw(parcels(100));
  await userEvent.click(screen.getByRole("button", { name: /^Heavy/ }));
  expect(screen.getByRole("button", { name: /^Heavy/ }).textContent).toContain("9");
  expect(firstNames()).toEqual(["Parcel 14", "Parcel 15", "Parcel 29"]);
  await userEvent.fill(screen.getByRole("searchbox", { name: "Name" }), "parcel 15");
  expect(firstNames()).toEqual(["Parcel 15"]);
  await userEvent.type(screen.getByRole("searchbox", { name: "Name" }), "{Control>}a{/Control}98 lb");
  expect(screen.queryByRole("table")).toBeNull();
});

test("an expanded record stays expanded after scrolling out of view and back", async () => {
  draw(parcels(1_000));
  await userEvent.click(screen.getByRole("button", { name: "Contents of Parcel 2" }));
  expect(screen.getByText("Parcel 2 has three hammers.")).toBeTruthy();
  const region = screen.getByRole("region", { name: "Parcels of friday.xlsx" });
  fireEvent.scroll(region, { target: { scrollTop: 20_000 } });
  expect(screen.queryByText("Parcel 2 has three hammers.")).toBeNull();
  fireEvent.scroll(region, { target: { scrollTop: 0 } });
  expect(screen.getByText("Parcel 2 has three hammers.")).toBeTruthy();
});
