import { ADMIN_PAGES, pagePath } from "#features/admin/web/paths.ts";
import { overviewQuery } from "#features/admin/web/queries.ts";
import { adminWords as words, type PageName, type PageWords } from "#features/admin/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { formatCount } from "#web/kit/format.ts";
import { SelectField } from "#web/kit/select-field.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";

const Layout = styled("div")(({ theme }) => ({
  display: "grid",
  gridTemplateColumns: "184px minmax(0, 1fr)",
  gap: 48,
  alignItems: "start",
  [theme.breakpoints.down("md")]: { gridTemplateColumns: "minmax(0, 1fr)", gap: 16 },
}));

const Side = styled("nav")(({ theme }) => ({
  "& ul": { listStyle: "none", margin: 0, padding: 0 },
  [theme.breakpoints.down("md")]: { display: "none" },
}));

const Entry = styled(Link)(({ theme }) => ({
  display: "flex",
  justifyContent: "space-between",
  gap: 8,
  padding: "8px 0",
  ...typeScale.table,
  color: (theme.vars ?? theme).palette.text.secondary,
  textDecoration: "none",
  borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  "& > span": { color: (theme.vars ?? theme).palette.text.caption },
  "&:hover": { color: (theme.vars ?? theme).palette.text.primary },
  "&[aria-current='page']": {
    fontWeight: 700,
    color: (theme.vars ?? theme).palette.text.primary,
    boxShadow: `inset 0 -2px 0 ${(theme.vars ?? theme).palette.primary.main}`,
    "& > span": { fontWeight: 400 },
  },
  "@media (forced-colors: active)": { "&[aria-current='page']": { borderBottomWidth: 3 } },
}));

const ORDER: readonly PageName[] = ["overview", ...ADMIN_PAGES];

/** Navigation and search beside a page of Admin; on narrow screens a selector above it. */
export function AdminFrame({ page, children }: { page: PageName; children: ReactNode }) {
  const navigate = useNavigate();
  const { data } = useQuery(overviewQuery());
  const entries = ORDER.filter((name) => name !== "simulators" || boot.demo).map((name) => {
    const shown: PageWords = words.pages[name];
    const count = data?.waiting[name] ?? 0;
    return {
      name,
      title: shown.title,
      note: count > 0 ? `${formatCount(count)} ${shown.filters?.waiting ?? ""}` : "",
    };
  });
  return (
    <Layout>
      <Side aria-label={words.navigation}>
        <ul>
          {entries.map(({ name, title, note }) => (
            <li key={name}>
              <Entry to={pagePath(name)} {...(name === page ? { "aria-current": "page" as const } : {})}>
                {title}
                {note ? <span>{note}</span> : null}
              </Entry>
            </li>
          ))}
        </ul>
      </Side>
      <Box sx={{ display: { xs: "block", md: "none" } }}>
        <SelectField
          label={words.section}
          labelAt="beside"
          value={page}
          options={entries.map(({ name, title, note }) => ({
            value: name,
            label: note ? `${title} (${note})` : title,
          }))}
          onChange={(name) => void navigate(pagePath(name as PageName))}
        />
      </Box>
      <Box sx={{ minWidth: 0 }}>
        {children}
        <Box component="p" sx={{ mt: 4, typography: "caption", color: "text.caption" }}>
          {words.note}
        </Box>
      </Box>
    </Layout>
  );
}
