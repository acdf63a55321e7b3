import { ADMIN_PAGES } from "#features/admin/web/paths.ts";
import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import { type LazyPage, lazyPage } from "#web/lazy-page.ts";
import { Suspense, useEffect, useRef } from "react";
import { Route, Routes, useLocation, useNavigationType } from "react-router";
import { focusHeading, isFocusLost, keepPlace } from "#web/kit/focus.ts";

/** Operators' pages are one chunk. */
const adminPage = lazyPage(() => import("#features/admin/web/page.tsx"), "AdminPage");

/** Routes of the product. Each page is its own chunk; operators' pages share one. */
const pages: Record<string, LazyPage> = {
  "/": lazyPage(() => import("#web/home/page.tsx"), "HomePage"),
  "/app": lazyPage(() => import("#web/upload/page.tsx"), "InvoicesPage"),
  "/add-in": lazyPage(() => import("#features/invoices/web/add-in/page.tsx"), "AddInPage"),
  "/tracking": lazyPage(() => import("#features/tracking/web/page.tsx"), "TrackingPage"),
  "/settings": lazyPage(() => import("#web/settings/settings-page.tsx"), "SettingsPage"),
  "/settings/developers": lazyPage(() => import("#web/settings/developers-page.tsx"), "DevelopersPage"),
  "/settings/data": lazyPage(() => import("#web/settings/data-page.tsx"), "DataPage"),
  "/payment-completion": lazyPage(() => import("#features/billing/web/page.tsx"), "PaymentCompletionPage"),
  "/label": lazyPage(() => import("#web/labels/page.tsx"), "LabelPage"),
  "/orders": lazyPage(() => import("#features/order-invoices/web/page.tsx"), "OrdersPage"),
  "/ups-callback": lazyPage(() => import("#features/carrier/web/page.tsx"), "CarrierCallbackPage"),
  "/get-app": lazyPage(() => import("#features/companies/web/get-app-page.tsx"), "GetAppPage"),
  "/invitation": lazyPage(() => import("#features/companies/web/invitation-page.tsx"), "InvitationPage"),
  "/leave": lazyPage(() => import("#features/companies/web/leave-page.tsx"), "LeavePage"),
  "/disconnect": lazyPage(() => import("#features/companies/web/disconnect-page.tsx"), "DisconnectPage"),
  "/end-user-license-agreement": lazyPage(() => import("#features/legal/web/legal-pages.tsx"), "LicensePage"),
  "/privacy-policy": lazyPage(() => import("#features/legal/web/legal-pages.tsx"), "PrivacyPage"),
  "/contact": lazyPage(() => import("#features/legal/web/contact-page.tsx"), "ContactPage"),
  "/controller": adminPage,
  ...Object.fromEntries(ADMIN_PAGES.map((name) => [`/controller/${name}`, adminPage])),
  "/login/failed": lazyPage(
    () => import("#features/identity/web/sign-in-failed-page.tsx"),
    "SignInFailedPage",
  ),
  "/logout/confirm": lazyPage(() => import("#features/identity/web/sign-out-page.tsx"), "SignOutPage"),
  "*": lazyPage(() => import("#web/kit/not-found/page.tsx"), "NotFoundPage"),
};

/** Preloads the page of a path, so that it renders immediately. */
export async function loadPage(pathname: string): Promise<void> {
  const path = pathname.replace(/\/$/, "") || "/";
  await (pages[path] ?? pages["*"])?.load();
}

/** Renders the page of the current address. */
export function Pages() {
  return (
    <Suspense fallback={<Spinner label={kitWords.loadingPage} />}>
      <RouteFocus />
      <Routes>
        {Object.entries(pages).map(([path, Page]) => (
          <Route key={path} path={path} element={<Page />} />
        ))}
      </Routes>
    </Suspense>
  );
}

/** Users rarely go back further than this. */
const MAX_POSITIONS = 100;
const positions = new Map<string, number>();

/**
 * Handles navigation within the app: focus moves to the heading and the page scrolls to the top. Back and
 * forward restore the scroll position, even between views of one page, and never leave focus on a removed
 * element.
 */
function RouteFocus() {
  const { key, pathname, search } = useLocation();
  const navigationType = useNavigationType();
  const shown = useRef({ pathname, search });
  useEffect(keepPlace, []);
  useEffect(() => {
    const before = shown.current;
    shown.current = { pathname, search };
    if (before.pathname !== pathname) {
      window.scrollTo(0, navigationType === "POP" ? (positions.get(key) ?? 0) : 0);
      focusHeading({ preventScroll: true });
    } else if (before.search !== search && navigationType === "POP") {
      window.scrollTo(0, positions.get(key) ?? window.scrollY);
      if (isFocusLost(document.activeElement)) focusHeading({ preventScroll: true });
    }
    const remember = () => {
      positions.set(key, window.scrollY);
      const oldest = positions.size > MAX_POSITIONS ? positions.keys().next().value : undefined;
      if (oldest !== undefined) positions.delete(oldest);
    };
    window.addEventListener("scroll", remember, { passive: true });
    return () => window.removeEventListener("scroll", remember);
  }, [key, pathname, search, navigationType]);
  return null;
}
