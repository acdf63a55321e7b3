import { readdir } from "node:fs/promises";
import { expect, test } from "./product.ts";
import { loadedFiles, lazySources, readBuild, weigh } from "./support/built.ts";
import { openPath } from "./support/visit.ts";

test("TH-19 dark follows the system, can be chosen, and survives a reload", async ({ openAs }) => {
  const page = await openAs("guest", { colorScheme: "dark" });
  await openPath(page, "/contact/");
  const scheme = () => page.evaluate(() => document.documentElement.getAttribute("data-color-scheme"));
  expect(await scheme()).toBe("dark");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(18, 18, 18)");
  await page.getByRole("combobox", { name: "Theme" }).selectOption("Light");
  await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
  await page.reload();
  await expect.poll(scheme).toBe("light");
  await expect(page.getByRole("combobox", { name: "Theme" })).toHaveValue("light");
  await page.getByRole("combobox", { name: "Theme" }).selectOption("System");
  await expect.poll(scheme).toBe("dark");
});

test("PF-01 the landing page needs at most 160 kB of script, every other page at most 40 kB more, with any part of it opened", async () => {
  const build = await readBuild();
  const { chunks, pages, shell } = build;
  expect(await weigh([...shell, ...pages["/"]!.scripts])).toBeLessThanOrEqual(160);
  for (const [path, { scripts }] of Object.entries(pages)) {
    expect(await weigh(scripts), path).toBeLessThanOrEqual(40);
    const own = new Set([...shell, ...scripts]);
    const parts = lazySources(build, path).map((source) =>
      loadedFiles(chunks, [source]).filter((file) => !own.has(file)),
    );
    for (const part of parts)
      expect(await weigh([...scripts, ...part]), `${path} with ${part[0]}`).toBeLessThanOrEqual(40);
    // With all of its parts opened, a page and the shell stay within 240 kB.
    expect(await weigh([...scripts, ...parts.flat()]), `${path} with all of it`).toBeLessThanOrEqual(80);
  }
  expect(lazySources(build, "/app").length).toBeGreaterThan(4);
});

test("PF-01 TH-21 the fonts weigh at most 100 kB, and all of them are ours", async () => {
  const fonts = (await readdir(new URL("../../dist/web/assets/", import.meta.url))).filter((name) =>
    /\.(woff2?|ttf|otf)$/.test(name),
  );
  expect(fonts.map((name) => name.replace(/-[\w-]{8}\.woff2$/, ""))).toEqual([
    "lato-latin-400-italic",
    "lato-latin-400-normal",
    "lato-latin-700-normal",
    "lato-latin-900-normal",
  ]);
  expect(await weigh(fonts.map((name) => `assets/${name}`))).toBeLessThanOrEqual(100);
});
