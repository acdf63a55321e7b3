import type { Group } from "#contract/endpoint.ts";
import { frameWords } from "#web/frame/words.ts";

export type NavEntry = {
  label: string;
  href: string;
  /** True when the server answers the address itself, so that a full page is loaded. */
  server: boolean;
  shown: boolean;
};

type Viewer = { signedIn: boolean; groups: readonly Group[]; addInLink: boolean };

/** The entries a viewer may use, in their order; none for guests. */
export function navEntries({ signedIn, groups, addInLink }: Viewer): NavEntry[] {
  if (!signedIn) return [];
  const all: NavEntry[] = [
    { label: frameWords.invoices, href: "/app/", server: false, shown: groups.includes("app") },
    { label: frameWords.addIn, href: "/add-in/", server: false, shown: addInLink },
    { label: frameWords.labels, href: "/label/", server: false, shown: groups.includes("brainchild") },
    { label: frameWords.settings, href: "/settings/", server: false, shown: true },
    { label: frameWords.admin, href: "/controller/", server: true, shown: groups.includes("admin") },
    { label: frameWords.signOut, href: "/logout/", server: true, shown: true },
  ];
  return all.filter(({ shown }) => shown);
}

/** Whether an entry is the page of this path. */
export function isCurrent(entry: NavEntry, pathname: string): boolean {
  return entry.href === (pathname.endsWith("/") ? pathname : `${pathname}/`);
}
