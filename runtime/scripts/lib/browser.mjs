import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { environmentFor } from "./node.mjs";
import { inRoot, Refusal, say } from "./place.mjs";
import { run } from "./run.mjs";

const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chromium-headless-shell",
];
const STARTS_WITHIN_MS = 20_000;
const CACHE = inRoot(".cache/browser");

/**
 * Finds a Chromium for the browser tests: CHROMIUM_PATH, the packaged one, one on PATH, one from apt. The
 * packaged one is the same everywhere, and needs a third less work than a distribution's with its full UI.
 * @returns {Promise<Record<string, string>>} environment for the tests, with CHROMIUM_PATH
 * @throws Refusal if there is none
 */
export async function findBrowser(node) {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (await works(node, { CHROMIUM_PATH: given })) return { CHROMIUM_PATH: given };
    throw new Refusal(`CHROMIUM_PATH is ${given}, which does not run.`);
  }
  return (
    (await browserOfPackages(node)) ??
    (await browserOnPath(node)) ??
    (await browserOfApt(node)) ??
    noBrowser()
  );
}

async function browserOnPath(node) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).filter((path) =>
    existsSync(path),
  );
  for (const path of paths) {
    if (await works(node, { CHROMIUM_PATH: path })) return { CHROMIUM_PATH: path };
  }
  return null;
}

/**
 * The package unpacks into the temp folder, so that is moved into our cache; its own libraries support
 * minimal systems.
 */
async function browserOfPackages(node) {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const unpack = `
    const { default: chromium } = await import("@sparticuz/chromium");
    const { inflate } = await import(${JSON.stringify(inRoot("node_modules/@sparticuz/chromium/build/lambdafs.js"))});
    await chromium.executablePath();
    await inflate(${JSON.stringify(inRoot("node_modules/@sparticuz/chromium/bin/al2023.tar.br"))});`;
  if (!existsSync(join(CACHE, "al2023"))) {
    say("Unpacking the browser of the packages …");
    mkdirSync(CACHE, { recursive: true });
    const env = environmentFor(node, { TMPDIR: CACHE });
    const { code } = await run(node, ["--input-type=module", "--eval", unpack], { env, quiet: true });
    if (code !== 0) return null;
  }
  const plain = { CHROMIUM_PATH: join(CACHE, "chromium"), FONTCONFIG_FILE: writeFontConfiguration() };
  if (await works(node, plain)) return plain;
  const libraries = [join(CACHE, "al2023/lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter);
  const bare = { ...plain, LD_LIBRARY_PATH: libraries };
  return (await works(node, bare)) ? bare : null;
}

/**
 * The package's own configuration names folders of another system; without fonts, a form control crashes the
 * browser.
 */
function writeFontConfiguration() {
  const folders = [join(CACHE, "fonts"), "/usr/share/fonts", "/usr/local/share/fonts"].map(
    (folder) => `<dir>${folder}</dir>`,
  );
  const file = join(CACHE, "fonts.conf");
  const content = `<fontconfig>${folders.join("")}<cachedir>${join(CACHE, "fonts-cache")}</cachedir></fontconfig>`;
  writeFileSync(file, `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n${content}\n`);
  return file;
}

async function browserOfApt(node) {
  if (process.platform !== "linux" || process.getuid() !== 0 || !existsSync("/usr/bin/apt-get")) return null;
  say("Installing Chromium …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-q"], { env, quiet: true });
  await run("apt-get", ["install", "-qy", "--no-install-recommends", "chromium"], { env, quiet: true });
  return browserOnPath(node);
}

/** Starts it once as the tests do, which reveals a missing library or a build that hangs. */
async function works(node, environment) {
  const trial = `
    const { chromium } = await import("@playwright/test");
    const options = { executablePath: process.env.CHROMIUM_PATH, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] };
    const browser = await chromium.launch({ ...options, timeout: ${STARTS_WITHIN_MS} });
    const page = await browser.newPage();
    await page.setContent("<select><option>ready</select>", { timeout: ${STARTS_WITHIN_MS} });
    await browser.close();`;
  const env = { ...process.env, ...environment };
  const { code } = await run(node, ["--input-type=module", "--eval", trial], { env, quiet: true });
  return code === 0;
}

function noBrowser() {
  throw new Refusal("There is no Chromium for the browser tests: install one, or set CHROMIUM_PATH.");
}

/** Finds a Firefox: FIREFOX_PATH, or one on PATH. */
export function findFirefox() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = ["firefox-esr", "firefox"].flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = process.env.FIREFOX_PATH ?? onPath.find((path) => existsSync(path));
  if (found) return found;
  throw new Refusal(
    "There is no Firefox for its tests: install one (apt-get install firefox-esr), or set FIREFOX_PATH.",
  );
}
