import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";

/** The tests start the product themselves; `npm test` finds the browser and names it in CHROMIUM_PATH. */
export default defineConfig({
  testDir: "test/e2e",
  // These are run by `npm test -- full`, or by a command that names them.
  testIgnore: process.env.WITHOUT_FULL === "1" ? "**/*.full.test.ts" : [],
  outputDir: "test-results",
  // Each runs a product and a browser of its own.
  workers: availableParallelism(),
  retries: 0,
  // Long, since a machine that does other work too is slow; tests name a time only where they wait for longer.
  timeout: 120_000,
  globalTimeout: 40 * 60_000,
  expect: { timeout: 30_000 },
  snapshotPathTemplate: "test/e2e/pictures/{arg}{ext}",
  forbidOnly: Boolean(process.env.CI),
  use: {
    browserName: "chromium",
    locale: "en-US",
    timezoneId: "America/New_York",
    viewport: { width: 1280, height: 800 },
    screenshot: "only-on-failure",
    // Recording one takes as much work as the test itself: `npm test -- e2e FILE --trace on` shows a failure's.
    trace: "off",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Else letters are as wide as the machine's own settings have them.
        "--font-render-hinting=none",
        "--disable-lcd-text",
      ],
    },
  },
});
