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

/** Address of a page of Admin. */
export const pagePath = (page: PageName): string =>
  page === "overview" ? "/controller/" : `/controller/${page}`;

const OPEN = "open";

/** Address of an upload, opened. */
export const openPath = (id: string): string => `${pagePath("uploads")}?${OPEN}=${id}`;

/** Id of the opened upload; null for the list. */
export const readOpened = (params: URLSearchParams): string | null => params.get(OPEN);
