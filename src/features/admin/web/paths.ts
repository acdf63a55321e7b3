import type { PageName } from "#features/admin/web/words.ts";

/** Address of a page of Admin. */
export const pagePath = (page: PageName): string =>
  page === "overview" ? "/controller/" : `/controller/${page}`;
