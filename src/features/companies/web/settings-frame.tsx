import { companyWords } from "#features/companies/web/words.ts";
import { boot } from "#web/kit/boot.ts";
import { SignInGate } from "#web/kit/gates.tsx";
import { PageTitle } from "#web/kit/page-head.tsx";
import { useSession } from "#web/kit/session/session.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import type { ReactNode } from "react";
import { Link } from "react-router";

const words = companyWords.settings;

const Layout = styled("div")(({ theme }) => ({
  display: "grid",
  gridTemplateColumns: "152px minmax(0, 1fr)",
  gap: 56,
  alignItems: "start",
  marginTop: 32,
  [theme.breakpoints.down("lg")]: { gap: 32 },
  [theme.breakpoints.down("md")]: { gridTemplateColumns: "minmax(0, 1fr)", gap: 20 },
}));

/** A list beside the page; on narrow screens a row of tabs above it. */
const Side = styled("nav")(({ theme }) => ({
  "& ul": { listStyle: "none", margin: 0, padding: 0 },
  [theme.breakpoints.down("md")]: {
    borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
    "& ul": { display: "flex", flexWrap: "wrap", columnGap: 20, marginBottom: -1 },
  },
}));

const Entry = styled(Link)(({ theme }) => ({
  display: "flex",
  padding: "8px 0",
  ...typeScale.table,
  color: (theme.vars ?? theme).palette.text.secondary,
  textDecoration: "none",
  borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  "&:hover": { color: (theme.vars ?? theme).palette.text.primary },
  "&[aria-current='page']": {
    fontWeight: 700,
    color: (theme.vars ?? theme).palette.text.primary,
    boxShadow: `inset 0 -2px 0 ${(theme.vars ?? theme).palette.primary.main}`,
  },
  [theme.breakpoints.down("md")]: {
    alignItems: "center",
    boxSizing: "border-box",
    height: 44,
    padding: 0,
    ...typeScale.body,
    border: "solid transparent",
    borderWidth: "0 0 3px",
    "&[aria-current='page']": {
      boxShadow: "none",
      borderBottomColor: (theme.vars ?? theme).palette.primary.main,
    },
  },
  "@media (forced-colors: active)": { "&[aria-current='page']": { borderBottomWidth: 3 } },
}));

const PAGES = {
  company: "/settings/",
  developers: "/settings/developers/",
  data: "/settings/data/",
} as const;
type PageName = keyof typeof PAGES;

type Props = { page: PageName; children: ReactNode };

/** The frame of the pages of Settings: their common title, the links between them, and one page's content. */
export function SettingsFrame({ page, children }: Props) {
  const { isCompanyAdmin } = useSession();
  const names = (["company", "developers", "data"] as const).filter(
    (name) => name !== "developers" || isCompanyAdmin || page === name,
  );
  const documentTitle = page === "company" ? words.documentTitle : `${words[page]} · ${words.documentTitle}`;
  return (
    <>
      <PageTitle documentTitle={documentTitle}>{words.title(boot.product)}</PageTitle>
      <SignInGate>
        <Layout>
          <Side aria-label={words.pages}>
            <ul>
              {names.map((name) => (
                <li key={name}>
                  <Entry to={PAGES[name]} {...(name === page ? { "aria-current": "page" as const } : {})}>
                    {words[name]}
                  </Entry>
                </li>
              ))}
            </ul>
          </Side>
          <div>{children}</div>
        </Layout>
      </SignInGate>
    </>
  );
}

/** Shows its children for the current company to its admin; others see whom to ask. */
export function AdminOnly({ children }: { children: (realmId: string) => ReactNode }) {
  const { company, isCompanyAdmin } = useSession();
  if (!company) return <p>{words.none}</p>;
  // Without an admin, every member may change settings.
  if (!isCompanyAdmin && company.admin !== null) return <p>{words.adminOnly(company.admin)}</p>;
  return children(company.id);
}
