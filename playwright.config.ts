import { defineConfig } from "@playwright/test";

/** The tests start the product themselves; `npm test` finds the browser and names it in CHROMIUM_PATH. */
export default defineConfig({
  testDir: "test/e2e",
  outputDir: "test-results",
  workers: 2,
  retries: 0,
  timeout: 60_000,
  globalTimeout: 8 * 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    browserName: "chromium",
    locale: "en-US",
    timezoneId: "America/New_York",
    viewport: { width: 1280, height: 800 },
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
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
      ],
    },
  },
});
