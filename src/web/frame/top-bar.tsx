import { CompanySwitch } from "#web/frame/company-switch.tsx";
import { DemoLink } from "#web/frame/demo.tsx";
import { BAR_HEIGHT, inset } from "#web/frame/inset.ts";
import { NavLink, NavLinks, NavMenu, navEntries, SIGN_OUT } from "#web/frame/nav.tsx";
import { UserMenu } from "#web/frame/user-menu.tsx";
import { boot } from "#web/kit/boot.ts";
import { useSession } from "#web/kit/session/session.ts";
import { SignInButton } from "#web/kit/sign-in-button.tsx";
import { useMediaQuery } from "#web/kit/use-media.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { Link, useLocation } from "react-router";

const Brand = styled(Link)({
  display: "inline-flex",
  flex: "none",
  alignItems: "center",
  gap: 10,
  minHeight: 44,
  color: "inherit",
  fontWeight: 900,
  fontSize: "1.125rem",
  letterSpacing: "-0.01em",
  textDecoration: "none",
});

/** Hidden on the narrowest screens, so that the company's name fits beside the logo. */
const Name = styled("span")({ "@media (max-width: 359.95px)": visuallyHidden });

/** Pages with their own sign-in button. */
const OWN_SIGN_IN = ["/app", "/label"];

/** Logo, brand, navigation, company, user, and sign in or out. */
export function TopBar() {
  const { authStatus, company, groups } = useSession();
  const { pathname } = useLocation();
  const wide = useMediaQuery("(min-width: 900px)");
  const isSignedIn = authStatus === "success";
  const entries = navEntries({
    signedIn: isSignedIn,
    groups,
    hasTracking: company?.tracking === true,
    addInLink: boot.addInLink,
  });
  const inRow = entries.filter(({ href }) => href !== SIGN_OUT);
  const signOut = entries.find(({ href }) => href === SIGN_OUT);
  const offersSignIn = authStatus === "error" && !OWN_SIGN_IN.includes(pathname.replace(/\/$/, ""));
  return (
    <Box
      component="header"
      // Links and sign-in appear once the user is known.
      aria-busy={authStatus === "unknown" || authStatus === "loading"}
      sx={{
        position: "relative",
        zIndex: 5,
        display: "flex",
        alignItems: "center",
        gap: { xs: 1, md: 2, lg: 4 },
        boxSizing: "border-box",
        minHeight: BAR_HEIGHT,
        ...inset,
        borderBottom: 1,
        borderColor: "divider",
        backgroundColor: "background.default",
        color: "text.primary",
      }}
    >
      <Brand to="/">
        <img src="/images/logo.svg" alt="" width={28} height={28} />
        <Name>{boot.product}</Name>
      </Brand>
      {wide && isSignedIn ? <NavLinks entries={inRow} /> : null}
      <Box
        sx={{
          ml: "auto",
          display: "flex",
          alignItems: "center",
          gap: { xs: 1, md: 1.5, lg: 2 },
          minWidth: 0,
        }}
      >
        <DemoLink />
        <CompanySwitch />
        {offersSignIn ? <SignInButton /> : null}
        {wide && signOut ? (
          <>
            <UserMenu />
            <NavLink entry={signOut} />
          </>
        ) : null}
        {!wide && isSignedIn ? <NavMenu entries={entries} /> : null}
      </Box>
    </Box>
  );
}
