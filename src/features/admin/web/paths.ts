import type { PageName } from "#features/admin/web/words.ts";

/** Pages below /controller/, in the order of their links. */
export const ADMIN_PAGES = [
  "companies",
  "users",
  "uploads",
  "runs",
  "tracking",
  "orders",
  "differences",
  "labels",
  "billing",
  "webhooks",
  "outgoing",
  "mail",
  "messages",
  "errors",
  "recordings",
  "audit",
  "simulators",
] as const;

/** Path of an Admin page. */
export const pagePath = (page: PageName): string =>
  page === "overview" ? "/controller/" : `/controller/${page}`;

const OPEN = "open";

/** Path of the uploads page with one upload open. */
export const openPath = (id: string): string => `${pagePath("uploads")}?${OPEN}=${id}`;

/** Id of the open upload; null for the list. */
export const readOpened = (params: URLSearchParams): string | null => params.get(OPEN);
