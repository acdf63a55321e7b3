import { PAGE_PATHS } from "../../src/main/pages.ts";
import type { Who } from "./support/visit.ts";

const PUBLIC = [
  "/",
  "/?signed_out=1",
  "/get-app/",
  "/get-app/?error=refused",
  "/get-app/?error=wrong_country",
  "/get-app/?error=already_connected&refusal=unknown",
  "/disconnect/?realmId=9130357849016936",
  "/invitation/?id=00000000-0000-4000-8000-000000000000",
  "/end-user-license-agreement/",
  "/privacy-policy/",
  "/contact/",
  "/login/failed?reason=expired&support_id=req-1",
  "/logout/confirm",
  "/no-such-page",
];
const CLOSED = [
  "/app/",
  "/add-in/",
  "/tracking/",
  "/settings/",
  "/payment-completion/",
  "/label/",
  "/orders/",
  "/ups-callback/",
  "/disconnect/",
  "/invitation/",
  "/leave/",
  "/controller/",
];

/** Pages as each user meets them; `a11y.full.test.ts` checks each as a whole. */
export const VISITS: Record<Who, readonly string[]> = {
  // A guest sees the same on every protected page.
  guest: [...PUBLIC, "/app/", "/label/?ups=1"],
  owner: [
    ...CLOSED,
    "/disconnect/?realmId=9130357849016936",
    "/app/?form=1",
    "/app/?names=1",
    "/",
    "/contact/",
  ],
  platform: ["/controller/", "/settings/"],
  nocompany: ["/app/", "/settings/", "/disconnect/"],
  clerk: ["/disconnect/", "/leave/", "/settings/"],
  plain: ["/app/", "/controller/"],
  labels: ["/label/"],
};

/** How the API answers what a page reads: as always, not yet, or with a refusal. */
const ANSWERS = ["data", "loading", "failed"] as const;

export type PageState = {
  who: Who;
  path: string;
  answers: (typeof ANSWERS)[number];
  /** Controls that are pressed, one after the other, by role and the beginning of the name. */
  presses: readonly Press[];
};

type Press = readonly ["button" | "link" | "tab", string];

/** Pages that read nothing before a user does something there. */
const STILL: ReadonlySet<string> = new Set([
  "/",
  "/add-in/",
  "/payment-completion/",
  "/ups-callback/",
  "/get-app/",
  "/leave/",
  "/end-user-license-agreement/",
  "/privacy-policy/",
  "/contact/",
  "/login/failed/",
  "/logout/confirm/",
]);

/** Parts of pages that have an address of their own. */
const PARTS = [
  "/app/?form=1",
  "/app/?names=1",
  "/label/?ups=1",
  "/label/?history=1",
  "/settings/?section=users",
  "/settings/?section=tracking",
  ...["keys", "webhooks", "folder"].map((name) => `/settings/developers/?section=${name}`),
  ...["health", "differences", "export", "storage", "audit", "devices", "support"].map(
    (name) => `/settings/data/?section=${name}`,
  ),
];

const ADDRESSES = [...PAGE_PATHS.map((path) => (path.endsWith("/") ? path : `${path}/`)), ...PARTS];

/** The user of a page who sees most of it. */
const visitor = (path: string): Who => (path.startsWith("/controller/") ? "platform" : "owner");

const OPENED: readonly [Who, string, ...Press[]][] = [
  ["owner", "/app/", ["tab", "Type or paste"]],
  ["owner", "/app/", ["link", "Saved matches"]],
  ["owner", "/label/", ["button", "What goes in the file"]],
  ["owner", "/label/", ["button", "Label settings"]],
  ["owner", "/label/?ups=1", ["button", "UPS label settings"]],
  ["owner", "/label/?ups=1", ["button", "Add"]],
  ["owner", "/label/?ups=1", ["button", "Ship less"]],
  ["owner", "/orders/", ["link", "8841203"]],
  ["owner", "/orders/?show=done"],
  ["owner", "/orders/?q=nothing"],
];

/** Further states of pages, each checked by axe alone. A new address gets its three by itself. */
export const PAGE_STATES: readonly PageState[] = [
  ...ADDRESSES.flatMap((path) =>
    ANSWERS.filter((answers) =>
      answers === "data" ? !VISITS[visitor(path)].includes(path) : !STILL.has(path),
    ).map((answers): PageState => ({ who: visitor(path), path, answers, presses: [] })),
  ),
  ...OPENED.map(([who, path, ...presses]): PageState => ({ who, path, answers: "data", presses })),
];
