import { CompanySwitch } from "#web/frame/company-switch.tsx";
import { inset } from "#web/frame/inset.ts";
import { NavLinks } from "#web/frame/nav-links.tsx";
import { NavMenu } from "#web/frame/nav-menu.tsx";
import { navEntries } from "#web/frame/nav-entries.ts";
import { boot } from "#web/kit/boot.ts";
import { useSession } from "#web/kit/session/session.ts";
import { SignInButton } from "#web/kit/sign-in-button.tsx";
import { useMediaQuery } from "#web/kit/use-media-query.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { Link, useLocation } from "react-router";

const Brand = styled(Link)({
  display: "inline-flex",
  alignItems: "center",
  gap: 10,
  minHeight: 44,
  color: "inherit",
  fontWeight: 900,
  fontSize: "1.25rem",
  textDecoration: "none",
});

/** On the narrowest screens the logo speaks for it, so that the company's name has room. */
const Name = styled("span")({ "@media (max-width: 359.95px)": visuallyHidden });

/** These pages carry a sign-in button of their own. */
const OWN_SIGN_IN = ["/app", "/label"];

/** Logo, brand, navigation, company and sign-in. */
export function TopBar() {
  const { authStatus, groups } = useSession();
  const { pathname } = useLocation();
  const wide = useMediaQuery("(min-width: 900px)");
  const entries = navEntries({ signedIn: authStatus === "success", groups, addInLink: boot.addInLink });
  const offersSignIn = authStatus === "error" && !OWN_SIGN_IN.includes(pathname.replace(/\/+$/, ""));
  return (
    <Box
      component="header"
      // Its links and its sign-in come with the answer who is signed in.
      aria-busy={authStatus === "unknown" || authStatus === "loading"}
      sx={{
        position: "relative",
        display: "flex",
        alignItems: "center",
        gap: { xs: 1, md: 3 },
        minHeight: 64,
        ...inset,
        borderBottom: 1,
        borderColor: "divider",
        backgroundColor: "background.paper",
        color: "text.primary",
      }}
    >
      <Brand to="/">
        <img src="/images/logo.svg" alt="" width={32} height={32} />
        <Name>{boot.product}</Name>
      </Brand>
      {wide && entries.length > 0 ? <NavLinks entries={entries} /> : null}
      <Box sx={{ ml: "auto", display: "flex", alignItems: "center", gap: 1, minWidth: 0 }}>
        <CompanySwitch />
        {offersSignIn ? <SignInButton /> : null}
        {!wide && entries.length > 0 ? <NavMenu entries={entries} /> : null}
      </Box>
    </Box>
  );
}
