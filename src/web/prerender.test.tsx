import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { prerenderForUsers, prerenderPages } from "#web/prerender.ts";
import { acme, owner, problem, renderApp, startServer } from "#web/test-support.tsx";
import { darkPalette, lightPalette } from "#web/theme/colors.ts";
import { screen } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";

const server = await startServer();
const css = await readFile(join(import.meta.dirname, "public/plain.css"), "utf8");

/** The text of a part of a page: each heading, paragraph, entry and link in order, with its address. */
function listContent(root: ParentNode | null): string[] {
  return [...(root?.querySelectorAll("h1, h2, p, li, a") ?? [])].map(
    (element) =>
      `${element.tagName} ${element.getAttribute("href") ?? ""} ${element.textContent.replace(/\s+/g, " ").trim()}`,
  );
}

function plain(path: string): HTMLElement {
  const page = document.createElement("div");
  page.innerHTML = (prerenderPages()[path] ?? "")
    .replaceAll("{{product}}", "Dockside")
    .replace("{{price_note}}", "");
  return page;
}

test.each(["/", "/end-user-license-agreement", "/privacy-policy"])(
  "LE-02 %s has the same text before and after its script has run, in its main part and its footer",
  async (path) => {
    server.on("GET /api/v1/user", problem(401, "Sign in."));
    server.visit(path);
    renderApp();
    await screen.findByRole("heading", { level: 1 });
    const main = screen.getByRole("main");
    const before = plain(path);
    expect(listContent(before.querySelector("main"))).toEqual(listContent(main));
    expect(listContent(before.querySelector("main")).length).toBeGreaterThan(4);
    const footer = listContent(screen.getByRole("contentinfo")).filter((line) => !line.includes("©"));
    expect(listContent(before.querySelector("footer"))).toEqual(footer);
    expect(before.querySelector(".brand")?.textContent).toBe(
      screen.getByRole("banner").querySelector("a")?.textContent,
    );
  },
);

/** The head of a user's page as sent before its script has run. */
function early(path: string, tracking = false): HTMLElement {
  const page = document.createElement("div");
  page.innerHTML = (prerenderForUsers()[path] ?? "")
    .replaceAll("{{product}}", "Dockside")
    .replaceAll("{{company}}", "Acme Tools")
    .replace("{{company_tracking}}", String(tracking));
  const style = document.createElement("style");
  style.textContent = css;
  page.append(style);
  return page;
}

test.each([false, true])(
  "PF-03 Upload has the same title and company before and after its script has run, with Tracking Service: %s",
  async (tracking) => {
    server.on("GET /api/v1/user", { json: owner({ companies: [tracking ? { ...acme, tracking } : acme] }) });
    server.visit("/app/");
    renderApp();
    const heading = await screen.findByRole("heading", { level: 1 });
    const before = early("/app", tracking);
    document.body.append(before);
    onTestFinished(() => before.remove());
    expect(before.querySelector("h1")?.textContent).toBe(heading.textContent);
    for (const part of before.querySelectorAll<HTMLElement>(".line *"))
      if (getComputedStyle(part).display === "none") part.remove();
    const line = readText(before.querySelector(".line"));
    expect(line).toMatch(/^You are connected to Acme Tools with .*Settings\.$/);
    expect(line.includes("Tracking")).toBe(tracking);
    const manage = before.querySelector(".line a");
    before.remove();
    const lineOfPage = () => readText(screen.getByRole("heading", { level: 1 }).nextElementSibling);
    await expect.poll(lineOfPage).toMatch(new RegExp(`^${line}`));
    expect(screen.getByRole("link", { name: manage?.textContent ?? "" }).getAttribute("href")).toBe(
      manage?.getAttribute("href"),
    );
  },
);

test.each(Object.keys(prerenderForUsers()))(
  "PF-03 %s has its title before its script has run, also for users without its group or a company",
  async (path) => {
    server.on("GET /api/v1/user", { json: owner({ groups: [], companies: [] }) });
    server.visit(`${path}/`);
    renderApp();
    const heading = await screen.findByRole("heading", { level: 1 });
    expect(early(path).querySelector("h1")?.textContent).toBe(heading.textContent);
    for (const text of early(path).querySelectorAll("main > p:not(.line)"))
      expect(await screen.findByText(text.textContent)).toBeTruthy();
  },
);

const readText = (element: Element | null) => (element?.textContent ?? "").replace(/\s+/g, " ").trim();

test("TH-19 a page has the theme's colors before its script has run, in light, in dark, and in dark by choice", () => {
  const blocks = [...css.matchAll(/\{([^{}]*--text:[^{}]*)\}/g)].map(([, block = ""]) =>
    Object.fromEntries([...block.matchAll(/--([a-z-]+): ([^;]+);/g)].map(([, name, value]) => [name, value])),
  );
  const light = listVariables(lightPalette);
  const dark = listVariables(darkPalette);
  const { fill, on, ...changed } = dark;
  expect([fill, on]).toEqual([light.fill, light.on]);
  expect(blocks).toEqual([light, changed, changed]);
});

function listVariables({ text, background, primary, secondary, status, divider, line }: typeof lightPalette) {
  return {
    text: text.primary,
    quiet: text.secondary,
    caption: text.caption,
    page: background.default,
    raised: background.raised,
    sunken: background.sunken,
    line: divider,
    strong: line.strong,
    link: primary.ink,
    fill: primary.main,
    on: secondary.main,
    done: secondary.ink,
    chip: status.amber.fill,
    "on-chip": status.amber.text,
    rule: status.amber.rule,
  };
}

test("LE-02 the landing page has the same elements before and after its script has run, except icons and buttons", async () => {
  server.on("GET /api/v1/user", problem(401, "Sign in."));
  server.visit("/");
  renderApp();
  await screen.findByRole("heading", { level: 1 });
  const parts = (root: ParentNode) =>
    [...root.querySelectorAll(".landing *")]
      .filter((element) => !element.closest("a, svg") && element.tagName !== "I")
      .map((element) => `${element.tagName} ${element.className.replace(/\bMui\S+|\bcss-\S+/g, "").trim()}`);
  expect(parts(plain("/"))).toEqual(parts(screen.getByRole("main")));
});
