import type { Locator } from "@playwright/test";

/** Every entry of the bar, in its order: where it leads, and the heading of the page there. */
export const PLACES: Record<string, readonly [href: string, heading: RegExp]> = {
  Invoices: ["/app/", /^Dockside Upload$/],
  "Excel Add-In": ["/add-in/", /^Excel Add-In/],
  Labels: ["/label/", /^Dockside Shipping Labels$/],
  Orders: ["/orders/", /^Dockside Orders$/],
  Settings: ["/settings/", /^Dockside App Settings$/],
  Admin: ["/controller/", /^Admin$/],
  "Sign out": ["/logout/", /^Dockside: Upload a spreadsheet\./],
};

export const ALL = Object.keys(PLACES);

/** Links of the bar to the product's pages: all but the brand, signing in, and the simulated books. */
export const barEntries = (bar: Locator) =>
  bar.locator(
    Object.values(PLACES)
      .map(([href]) => `a[href="${href}"]`)
      .join(", "),
  );
