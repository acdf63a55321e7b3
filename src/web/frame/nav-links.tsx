import { isCurrent, type NavEntry } from "#web/frame/nav-entries.ts";
import { frameWords } from "#web/frame/words.ts";
import { styled } from "@mui/material/styles";
import { Link, useLocation } from "react-router";

const look = {
  boxSizing: "border-box",
  display: "inline-flex",
  alignItems: "center",
  height: "100%",
  minHeight: 44,
  // As high as the mark below, so that the words stay in the middle.
  paddingTop: 3,
  paddingBottom: 3,
  color: "var(--mui-palette-text-secondary)",
  textDecoration: "none",
  "&:hover": { color: "var(--mui-palette-text-primary)" },
  // Forced colors would draw a transparent border under every entry, so only the marked one has one.
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

/** The navigation entries; the one of this page is marked. */
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

/** One entry, wherever it is. */
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
