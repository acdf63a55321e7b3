import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import base from "../../../playwright.config.ts";

/** Runs the core journeys, whose titles name OP-19, in Firefox, driven over WebDriver BiDi. */
export default defineConfig(base, {
  testDir: "..",
  testMatch: "**/*.test.ts",
  testIgnore: [],
  grep: /\bOP-19\b/,
  outputDir: "../../../test-results/firefox",
  workers: 1,
  use: {
    browserName: "firefox",
    channel: "moz-firefox",
    launchOptions: { executablePath: join(import.meta.dirname, "start-firefox.mjs"), args: [] },
  },
});
