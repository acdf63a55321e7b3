import type { Page } from "playwright-core";
import type { UploadList, UploadResult } from "#features/invoices/contract.ts";

/**
 * Answers in the server's place with one upload of so many rows, so that only their drawing is measured, and notes when
 * the first of them are on the screen. To be called before the page is opened.
 * @param options.inProcess whether the list says that something is running, so that the page polls
 * @param options.held whether the rows are sent only once `answer` is called; `asked` is when the page asks for them
 */
export async function answerRows(page: Page, count: number, { inProcess = false, held = false } = {}) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  if (!held) released.resolve();
  await page.route("**/api/v1/invoices?*", (route) =>
    route.request().method() === "GET"
      ? route.fulfill({ json: { ...listOfOne(count), in_process: inProcess } })
      : route.continue(),
  );
  await page.route("**/api/v1/invoices/*/results?*", async (route) => {
    asked.resolve();
    await released.promise;
    await route.fulfill({ json: { results: rows(count) } });
  });
  await page.addInitScript(markFirstRow);
  return { asked: asked.promise, answer: () => released.resolve() };
}

/** Waits for the first paint of the rows. @returns its time in the page, in milliseconds */
export const untilPainted = (page: Page): Promise<number> =>
  page.evaluate(() => Reflect.get(window, "firstRow") as Promise<number>);

/** Milliseconds from the arrival of the rows to their first paint, and the elements of the page. */
export async function readRows(page: Page): Promise<{ ms: number; nodes: number }> {
  await page.getByRole("row").nth(5).waitFor();
  const paintedMs = await untilPainted(page);
  return page.evaluate((paintedAt) => {
    const arrived = performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("/results?"))
      .map((entry) => (entry as PerformanceResourceTiming).responseEnd);
    return {
      ms: paintedAt - Math.min(...arrived),
      nodes: document.body.querySelectorAll("*").length,
    };
  }, paintedMs);
}

/** Runs in the page. It looks only when the page changes: a look at each frame would itself be work of the page. */
function markFirstRow() {
  const { promise, resolve } = Promise.withResolvers<number>();
  Reflect.set(window, "firstRow", promise);
  const observer = new MutationObserver(() => {
    if (document.querySelectorAll("[role=row]").length <= 2) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true });
}

function listOfOne(count: number): UploadList {
  const problems = Math.floor(count / 2);
  const counts = { total: count, completed: count - problems, problems, open: 0 };
  const upload = {
    id: "0199f000-0000-7000-8000-000000000001",
    filename: "many-rows.xlsx",
    timestamp: "2027-01-05T10:00:00.000Z",
    counts,
    invoices: {
      total: count,
      posted: counts.completed,
      problems,
      unconfirmed: 0,
      open: 0,
      skipped: 0,
      undone: 0,
      amount: `${counts.completed}.00`,
      currencies: ["USD"],
    },
    uploaded_by: "Olive Owner",
    fixes: [],
    result_count: count,
    results: [],
  };
  return { uploads: [upload], total_count: 1, in_process: false };
}

function rows(count: number): UploadResult[] {
  return Array.from({ length: count }, (_, index) => ({
    rows: String(index + 2),
    status: index % 2 === 0 ? 0 : 2,
    message: index % 2 === 0 ? "1 invoice posted." : `Item "WIDGET-${index}" is not in this company.`,
  }));
}
