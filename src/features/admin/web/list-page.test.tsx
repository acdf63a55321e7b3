import type { ListRow } from "#features/admin/lists/contract.ts";
import { LIST_VIEWS } from "#features/admin/web/lists.ts";
import { expect, onTestFinished, test, vi } from "vitest";

const company = (services: string, granted: string): ListRow<"companies"> => ({
  key: "1",
  realm_id: "1",
  company: "Acme Tools",
  admin: null,
  connection: "connected",
  services,
  granted,
  members: 1,
  created_at: "2026-11-20T10:00:00Z",
});

test.each([
  ["without a service", company("", ""), ["Grant Tracking"]],
  ["that pays for Tracking", company("tracking", ""), []],
  ["that was granted Tracking", company("tracking", "tracking"), ["End grant"]],
])(
  "OP-13 Tracking is offered without payment to a company %s only if it doesn't have it",
  (_, row, offered) => {
    const labels = LIST_VIEWS.companies.actions
      .filter(({ isOffered }) => isOffered(row))
      .map(({ label }) => label);
    expect(labels.filter((label) => /grant/i.test(label))).toEqual(offered);
  },
);

test("OP-13 an order's retailer and state are in the words of its customer", () => {
  const row: ListRow<"orders"> = {
    key: "1",
    realm_id: "1",
    company: "Acme Tools",
    po_number: "80001",
    retailer: "retailer",
    customer: "Jane Doe",
    state: "labelled",
    notice: "accepted",
    received_at: "2026-11-20T10:00:00Z",
  };
  const cells = LIST_VIEWS.orders.columns.map(({ cell }) => cell(row));
  expect(cells.slice(1, 6)).toEqual(["80001", "Retailer", "Jane Doe", "Labels made", "Accepted"]);
});

test("UO-16 an error that was first seen within a day is marked as new", () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T10:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const draw = (first_at: string) =>
    LIST_VIEWS.errors.columns[0]?.cell({
      key: "1",
      title: "TypeError: rows is null",
      place: "/app/",
      source: "browser",
      release: "dockside@7",
      count: 2,
      first_at,
      last_at: "2026-11-21T09:00:00Z",
      user: null,
      request_id: null,
      stack: "",
    });
  expect(draw("2026-11-20T10:00:01Z")).toBe("New: TypeError: rows is null\n/app/");
  expect(draw("2026-11-20T10:00:00Z")).toBe("TypeError: rows is null\n/app/");
});
