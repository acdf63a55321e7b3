import type { Group } from "#contract/endpoint.ts";
import { frameWords } from "#web/frame/words.ts";
import { styled } from "@mui/material/styles";
import { Link, useLocation } from "react-router";
import { Popover } from "#web/frame/popover.tsx";
import { NameAndEmail } from "#web/frame/user-menu.tsx";
import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Menu, X } from "lucide-react";

export type NavEntry = {
  label: string;
  href: string;
  /** Whether the server handles the address itself, so that a full page is loaded. */
  server: boolean;
  shown: boolean;
};

export const SIGN_OUT = "/logout/";

type Viewer = { signedIn: boolean; groups: readonly Group[]; hasTracking: boolean; addInLink: boolean };

/** Entries that a viewer may use, in order; none for guests. */
export function navEntries({ signedIn, groups, hasTracking, addInLink }: Viewer): NavEntry[] {
  if (!signedIn) return [];
  const isApp = groups.includes("app");
  const all: NavEntry[] = [
    { label: frameWords.invoices, href: "/app/", server: false, shown: isApp },
    { label: frameWords.tracking, href: "/tracking/", server: false, shown: isApp && hasTracking },
    { label: frameWords.addIn, href: "/add-in/", server: false, shown: addInLink },
    { label: frameWords.labels, href: "/label/", server: false, shown: groups.includes("brainchild") },
    { label: frameWords.orders, href: "/orders/", server: false, shown: groups.includes("brainchild") },
    { label: frameWords.settings, href: "/settings/", server: false, shown: true },
    { label: frameWords.admin, href: "/controller/", server: true, shown: groups.includes("admin") },
    { label: frameWords.signOut, href: SIGN_OUT, server: true, shown: true },
  ];
  return all.filter(({ shown }) => shown);
}

/** Whether an entry links to the page at this path, or to the one above it. Sign out has no page: it is an action. */
function isCurrent({ href }: NavEntry, pathname: string): boolean {
  return href !== SIGN_OUT && `${pathname}/`.startsWith(href);
}

const look = {
  boxSizing: "border-box",
  display: "inline-flex",
  alignItems: "center",
  height: "100%",
  minHeight: 44,
  // As high as the mark below, so that the text stays vertically centered.
  paddingTop: 3,
  paddingBottom: 3,
  color: "var(--mui-palette-text-secondary)",
  whiteSpace: "nowrap",
  textDecoration: "none",
  "&:hover": { color: "var(--mui-palette-text-primary)" },
  // Only the current entry has a border: forced colors would draw a transparent one under every entry.
  "&[aria-current='page']": {
    paddingBottom: 0,
    fontWeight: 700,
    color: "var(--mui-palette-text-primary)",
    borderBottom: "3px solid var(--mui-palette-primary-main)",
  },
} as const;

const AppLink = styled(Link)(look);
const ServerLink = styled("a")(look);

const List = styled("ul")({ listStyle: "none", margin: 0, padding: 0 });

const row = { display: "flex", height: "100%", columnGap: "clamp(12px, 2vw, 24px)" } as const;
const column = { display: "flex", flexDirection: "column", alignItems: "flex-start" } as const;

type Props = { entries: readonly NavEntry[]; vertical?: boolean; onFollow?: () => void };

/** Navigation entries; the one for the current page is marked. */
export function NavLinks({ entries, vertical = false, onFollow }: Props) {
  return (
    <nav aria-label={frameWords.navigation} style={vertical ? {} : { alignSelf: "stretch" }}>
      <List style={vertical ? column : row}>
        {entries.map((entry) => (
          <li key={entry.href}>
            <NavLink entry={entry} onFollow={onFollow} />
          </li>
        ))}
      </List>
    </nav>
  );
}

/** One entry in the bar or the menu. */
export function NavLink({ entry, onFollow }: { entry: NavEntry; onFollow?: (() => void) | undefined }) {
  const { pathname } = useLocation();
  const mark = isCurrent(entry, pathname) ? ({ "aria-current": "page" } as const) : {};
  return entry.server ? (
    <ServerLink href={entry.href} {...mark}>
      {entry.label}
    </ServerLink>
  ) : (
    <AppLink to={entry.href} onClick={onFollow} {...mark}>
      {entry.label}
    </AppLink>
  );
}

/** Navigation for narrow screens: a button that opens the list below the bar, with the signed-in user. */
export function NavMenu({ entries }: { entries: readonly NavEntry[] }) {
  return (
    <Popover
      opener={(button, isOpen) => (
        <Button {...button} color="inherit" aria-label={frameWords.menu} sx={{ minWidth: 44, px: 1 }}>
          <Icon of={isOpen ? X : Menu} size="medium" />
        </Button>
      )}
      panel={(close) => (
        <>
          <NavLinks entries={entries} vertical onFollow={close} />
          <Box sx={{ mt: 1, pt: 1.5, borderTop: 1, borderColor: "divider" }}>
            <NameAndEmail />
          </Box>
        </>
      )}
      sx={{ right: 0, left: 0, px: { xs: 2, sm: 3 }, py: 1.5, borderTop: 1, borderColor: "divider" }}
    />
  );
}
