import type { Page } from "@playwright/test";

export type Event = {
  release: string;
  environment: string;
  transaction: string;
  tags: Record<string, string>;
  user?: object;
  exception: { values: { type: string; value: string }[] };
};

/** Reports as they leave the page, the origins of all its requests, and its console's errors. */
export function watch(page: Page) {
  const events: Event[] = [];
  const origins = new Set<string>();
  const errors: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http")) origins.add(url.origin);
    if (url.pathname !== "/telemetry/errors") return;
    const [, , event] = (request.postData() ?? "").split("\n");
    events.push(JSON.parse(event ?? "") as Event);
  });
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  const texts = () => events.map(({ exception }) => exception.values.at(-1)?.value);
  return { events, origins, errors, texts };
}

/** Answers the list of uploads as a failing server does. */
export const failList = (page: Page, status: number) =>
  page.route("**/api/v1/invoices?*", (route) =>
    route.fulfill({
      status,
      contentType: "application/problem+json",
      json: {
        type: "about:blank",
        title: "T",
        status,
        detail: `Answer ${status}`,
        code: "made",
        request_id: "r-77",
      },
    }),
  );
