import { isCurrent, type NavEntry } from "#web/frame/nav-entries.ts";
import { frameWords } from "#web/frame/words.ts";
import { styled } from "@mui/material/styles";
import { Link, useLocation } from "react-router";

const look = {
  display: "inline-flex",
  alignItems: "center",
  minHeight: 44,
  padding: "0 10px",
  color: "inherit",
  textDecoration: "none",
  // Forced colours would draw a transparent border under every entry, so only the marked ones have one.
  "&:hover": { paddingTop: 3, borderBottom: "3px solid currentColor" },
  "&[aria-current='page']": {
    paddingTop: 3,
    fontWeight: 700,
    borderBottom: "3px solid var(--mui-palette-primary-main)",
  },
} as const;

const AppLink = styled(Link)(look);
const ServerLink = styled("a")(look);

const List = styled("ul")({ display: "flex", gap: 4, listStyle: "none", margin: 0, padding: 0 });

type Props = { entries: readonly NavEntry[]; vertical?: boolean; onFollow?: () => void };

/** The navigation entries; the one of this page is marked. */
export function NavLinks({ entries, vertical = false, onFollow }: Props) {
  const { pathname } = useLocation();
  return (
    <nav aria-label={frameWords.navigation}>
      <List style={vertical ? { flexDirection: "column" } : {}}>
        {entries.map((entry) => {
          const mark = isCurrent(entry, pathname) ? ({ "aria-current": "page" } as const) : {};
          return (
            <li key={entry.href}>
              {entry.server ? (
                <ServerLink href={entry.href} {...mark}>
                  {entry.label}
                </ServerLink>
              ) : (
                <AppLink to={entry.href} onClick={onFollow} {...mark}>
                  {entry.label}
                </AppLink>
              )}
            </li>
          );
        })}
      </List>
    </nav>
  );
}
