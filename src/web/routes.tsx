import { Spinner } from "#web/kit/spinner.tsx";
import { kitWords } from "#web/kit/words.ts";
import { type LazyPage, lazyPage } from "#web/lazy-page.ts";
import { RouteFocus } from "#web/route-focus.tsx";
import { Suspense } from "react";
import { Route, Routes } from "react-router";

/** Every address of the product that has a screen; each screen is its own chunk. */
const pages: Record<string, LazyPage> = {
  "/": lazyPage(() => import("#web/home/page.tsx"), "HomePage"),
  "/app": lazyPage(() => import("#features/invoices/web/page.tsx"), "UploadPage"),
  "/add-in": lazyPage(() => import("#features/invoices/web/add-in/page.tsx"), "AddInPage"),
  "/settings": lazyPage(() => import("#web/settings/settings-page.tsx"), "SettingsPage"),
  "/payment-completion": lazyPage(() => import("#features/billing/web/page.tsx"), "PaymentCompletionPage"),
  "/label": lazyPage(() => import("#features/labels/web/page.tsx"), "LabelPage"),
  "/ups-callback": lazyPage(() => import("#features/companies/carrier/web/page.tsx"), "CarrierCallbackPage"),
  "/get-app": lazyPage(() => import("#features/companies/web/get-app-page.tsx"), "GetAppPage"),
  "/disconnect": lazyPage(() => import("#features/companies/web/disconnect-page.tsx"), "DisconnectPage"),
  "/end-user-license-agreement": lazyPage(() => import("#features/legal/web/legal-pages.tsx"), "LicensePage"),
  "/privacy-policy": lazyPage(() => import("#features/legal/web/legal-pages.tsx"), "PrivacyPage"),
  "/contact": lazyPage(() => import("#features/legal/web/contact-page.tsx"), "ContactPage"),
  "/controller": lazyPage(() => import("#features/admin/web/page.tsx"), "AdminPage"),
  "/login/failed": lazyPage(
    () => import("#features/identity/web/sign-in-failed-page.tsx"),
    "SignInFailedPage",
  ),
  "/logout/confirm": lazyPage(() => import("#features/identity/web/sign-out-page.tsx"), "SignOutPage"),
  "*": lazyPage(() => import("#web/kit/not-found/page.tsx"), "NotFoundPage"),
};

/** Loads the page of a path, so that it can be drawn at once. */
export async function loadPage(pathname: string): Promise<void> {
  const path = pathname.replace(/\/+$/, "") || "/";
  await (pages[path] ?? pages["*"])?.load();
}

/** The page of the current address. */
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
