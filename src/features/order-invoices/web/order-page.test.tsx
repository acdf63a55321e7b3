import type { OrderInvoice, ThreadView } from "#features/order-invoices/contract.ts";
import { draftInvoice } from "#features/order-invoices/web/fixtures/invoices.ts";
import { openAsOwner, problem, startServer, userEvent } from "#web/test-support.tsx";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

const server = await startServer();
const ID = "0198c0de-0000-7000-8000-000000000077";
const READ = "GET /api/v1/orders/thread";

const view = (waiting: ThreadView["waiting"]): ThreadView => ({
  thread: {
    order_id: ID,
    po_number: "8841188",
    customer_name: "Robin Sample",
    standing: "differs",
    words: "Order changed?",
    marks: Array.from({ length: 7 }, () => "waiting" as const),
    amount: "25.00",
  },
  retailer: "Retailer",
  steps: [],
  invoices: [],
  waiting,
  asks_shipped: false,
  slip_file: "8841188-packing-slip.pdf",
});

test.each([true, false])(
  "TD-14 the order's page asks whether a changed order counts; with labels the new one counts only if prices change: %s",
  async (can_use_new) => {
    const differences = [{ what: "Unit cost of line 1", now: "12.50", new: "11.00" }];
    const note = can_use_new ? "" : "Void the labels first.";
    const waiting = { received_at: "2026-11-25T10:00:00Z", differences, can_use_new, note };
    const sent: unknown[] = [];
    let current: ThreadView = view(waiting);
    server.on(READ, () => ({ json: current }));
    server.on("POST /api/v1/labels/open-orders/decide", ({ body }) => {
      sent.push(JSON.parse(body));
      current = view(null);
      return { json: {} };
    });
    await openAsOwner(server, `/orders/?order=${ID}`);
    const question = within(
      await screen.findByRole("group", { name: /^A different order with this PO number came in/ }),
    );
    expect(
      question.getByText("Unit cost of line 1: 12.50 in the current order, 11.00 in the new one"),
    ).toBeTruthy();
    expect(question.queryAllByRole("button", { name: /^Use the new one/ })).toHaveLength(can_use_new ? 1 : 0);
    expect(question.queryAllByText("Void the labels first.")).toHaveLength(can_use_new ? 0 : 1);
    const name = can_use_new ? /^Use the new one/ : /^Keep/;
    await userEvent.click(question.getByRole("button", { name }));
    await screen.findByText(can_use_new ? /was replaced by the new order/ : /wasn't changed/);
    expect(sent).toEqual([
      { order_id: ID, choice: can_use_new ? "use_new" : "keep", received_at: waiting.received_at },
    ]);
    await waitFor(() => expect(screen.queryByRole("group", { name: /^A different order/ })).toBeNull());
  },
);

test("TD-14 an order that its retailer canceled after its labels were made asks whether it shipped", async () => {
  const sent: unknown[] = [];
  let current: ThreadView = { ...view(null), asks_shipped: true };
  server.on(READ, () => ({ json: current }));
  server.on("POST /api/v1/labels/open-orders/decide", ({ body }) => {
    sent.push(JSON.parse(body));
    current = view(null);
    return { json: {} };
  });
  await openAsOwner(server, `/orders/?order=${ID}`);
  const name = /^The retailer canceled this order after its labels were made/;
  const question = within(await screen.findByRole("group", { name }));
  await userEvent.click(question.getByRole("button", { name: /^It shipped/ }));
  await waitFor(() => expect(screen.queryByRole("group", { name })).toBeNull());
  expect(sent).toEqual([{ order_id: ID, choice: "shipped" }]);
});

const posted: OrderInvoice = { ...draftInvoice, state: "posted" };

test("TD-15 an invoice that the retailer wrote about is marked as rejected with one click, and resent with another", async () => {
  const rejected = "0198c0de-0000-7000-8000-000000000081";
  const invoice = { ...posted, rejected_document: rejected };
  let current: ThreadView = { ...view(null), invoices: [{ ...posted, doubted_document: rejected }] };
  const sent: unknown[] = [];
  server.on(READ, () => ({ json: current }));
  server.on("POST /api/v1/labels/notices/reject", ({ body }) => {
    sent.push(JSON.parse(body));
    current = { ...current, invoices: [invoice] };
    return { json: {} };
  });
  server.on("POST /api/v1/labels/notices/send-again", ({ body }) => {
    sent.push(JSON.parse(body));
    current = { ...current, invoices: [{ ...invoice, rejected_document: null }] };
    return { json: { id: ID } };
  });
  await openAsOwner(server, `/orders/?order=${ID}`);
  expect(await screen.findByText(/^The retailer wrote about this invoice/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Mark as rejected" }));
  await screen.findByText("The invoice is marked as rejected.");
  expect(await screen.findByText(/^The retailer rejected this invoice/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Resend to the retailer" }));
  await screen.findByText("The invoice will be sent to the retailer again.");
  expect(sent).toEqual([{ id: rejected }, { id: rejected }]);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Resend to the retailer" })).toBeNull());
});

const changed = { ...posted, problem: "It was changed in QuickBooks since.", asks_handled: true };

test("TD-16 an invoice that was changed in QuickBooks after its 810 is marked as handled, and still says so", async () => {
  const sent: unknown[] = [];
  let invoice = changed;
  server.on(READ, () => ({ json: { ...view(null), invoices: [invoice] } }));
  server.on("POST /api/v1/orders/invoices/answer", ({ body }) => {
    sent.push(JSON.parse(body));
    invoice = { ...changed, asks_handled: false };
    return { json: {} };
  });
  await openAsOwner(server, `/orders/?order=${ID}`);
  const name = "Mark as handled invoice 8841188";
  await userEvent.click(await screen.findByRole("button", { name }));
  await waitFor(() => expect(screen.queryByRole("button", { name })).toBeNull());
  expect(sent).toEqual([{ id: changed.id, about: changed.about, answer: "handled" }]);
  expect(screen.getByText(changed.problem)).toBeTruthy();
});

test("an invoice that a user creates in QuickBooks is searched for there, and what wasn't found is said", async () => {
  const sent: unknown[] = [];
  const draft: OrderInvoice = { ...draftInvoice, can_post: false, waits: ["charge"], theirs: null };
  server.on(READ, () => ({ json: { ...view(null), invoices: [draft] } }));
  server.on("POST /api/v1/orders/invoices/answer", ({ body }) => {
    sent.push(JSON.parse(body));
    return problem(409, "QuickBooks has no such invoice.", "not_in_books");
  });
  await openAsOwner(server, `/orders/?order=${ID}`);
  await userEvent.click(await screen.findByRole("button", { name: "Find it in QuickBooks" }));
  await screen.findByText("QuickBooks has no such invoice.");
  expect(sent).toEqual([{ id: draft.id, about: draft.about, answer: "find" }]);
});

test("an invoice whose 810 stays here is noted as entered in the retailer's portal", async () => {
  const sent: unknown[] = [];
  let invoice: OrderInvoice = { ...posted, asks_portal: true };
  server.on(READ, () => ({ json: { ...view(null), invoices: [invoice] } }));
  server.on("POST /api/v1/orders/invoices/answer", ({ body }) => {
    sent.push(JSON.parse(body));
    invoice = { ...invoice, asks_portal: false };
    return { json: {} };
  });
  await openAsOwner(server, `/orders/?order=${ID}`);
  const name = "It's in the portal";
  await userEvent.click(await screen.findByRole("button", { name }));
  await waitFor(() => expect(screen.queryByRole("button", { name })).toBeNull());
  expect(sent).toEqual([{ id: invoice.id, about: invoice.about, answer: "portal" }]);
});

test("quantities of lines add up exactly", async () => {
  const line = {
    sku: "1004-118",
    description: "Chain by the foot",
    item: null,
    price: "1.00",
    ordered_amount: "1.10",
    billed_amount: "1.10",
    item_price: null,
    asks_price: false,
  };
  const lines = ["1.1", "2.2", "3"].map((quantity, at) => ({
    ...line,
    line: String(at + 1),
    ordered: quantity,
    shipped: quantity,
    billed: quantity,
  }));
  server.on(READ, () => ({ json: { ...view(null), invoices: [{ ...posted, lines }] } }));
  await openAsOwner(server, `/orders/?order=${ID}`);
  const total = await screen.findByRole("row", { name: /^Total/ });
  const cells = [...total.querySelectorAll("td.part")].map(({ textContent }) => textContent);
  expect(cells).toEqual(["6.3", "6.3", "6.3"]);
});

test("TD-11 the button of one of an order's invoices posts that one alone", async () => {
  const sent: unknown[] = [];
  const [first, second] = [
    { ...draftInvoice, can_post: true },
    { ...draftInvoice, id: "0198c0de-0000-7000-8000-000000000079", can_post: true, total: "25.00" },
  ] as const;
  server.on(READ, () => ({ json: { ...view(null), invoices: [first, second] } }));
  server.on("POST /api/v1/orders/invoices", ({ body }) => {
    sent.push(JSON.parse(body));
    return { json: { posting: 1, upload_id: null, left_out: [] } };
  });
  await openAsOwner(server, `/orders/?order=${ID}`);
  await userEvent.click(await screen.findByRole("button", { name: /^Post to QuickBooks · \$25\.00/ }));
  await waitFor(() => expect(sent).toEqual([{ order_ids: [ID], invoice_id: second.id }]));
});
