import { expect, type Page } from "@playwright/test";

export type Stop = { name: string; ring: boolean; main: boolean; order: number };

/** More stops than any page has. */
const MAX_STOPS = 200;

/** Tabs through the whole page. Every control must be reached, and focus must leave the page at the end. */
export async function tabThroughPage(page: Page): Promise<Stop[]> {
  const stops: Omit<Stop, "order">[] = [];
  // A part of a page that was opened by its address already has focus, so first tab back to the top.
  while (await readStop(page)) await page.keyboard.press("Tab");
  await page.evaluate(() => Object.assign(window, { reached: [] as Element[] }));
  for (let count = 0; count < MAX_STOPS; count += 1) {
    await page.keyboard.press("Tab");
    const stop = await readStop(page);
    if (!stop) {
      expect(await findUnreached(page), "controls that Tab does not reach").toEqual([]);
      const order = await orderOfReached(page);
      return stops.map((place, index) => ({ ...place, order: order[index] ?? -1 }));
    }
    stops.push(stop);
  }
  throw new Error(`The focus does not leave the page: ${stops.at(-1)?.name}.`);
}

/** Checks that all stops are in reading order with a visible focus ring, and include the named ones. */
export function expectReadingOrder(walked: readonly Stop[], stops: readonly string[]): void {
  const names = walked.map(({ name }) => name);
  for (const stop of stops) expect(names).toContain(stop);
  expect(walked.filter(({ ring }) => !ring)).toEqual([]);
  const inMain = walked.filter(({ main }) => main).map(({ order }) => order);
  expect(inMain).toEqual(inMain.toSorted((a, b) => a - b));
}

/** Visible controls that Tab never reached. One radio button per group is enough. */
const findUnreached = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const reached = new Set((window as never as { reached: Element[] }).reached);
    const groups = new Set(
      [...reached].map(
        (element) => (element as HTMLInputElement).type === "radio" && (element as HTMLInputElement).name,
      ),
    );
    return (
      [...document.querySelectorAll<HTMLInputElement>("a[href], button, input, select, textarea, summary")]
        // Arrow keys reach the tabs that are not chosen.
        .filter((control) => !control.matches(":disabled, [type=file], [role=tab][aria-selected=false]"))
        .filter((control) => control.checkVisibility())
        // And those of a toolbar.
        .filter(
          (control) => ![...reached].some((element) => control.closest("[role=toolbar]")?.contains(element)),
        )
        .filter((control) => !reached.has(control) && !(control.type === "radio" && groups.has(control.name)))
        .map((control) => control.outerHTML.slice(0, 120))
    );
  });

/** Presses Tab until the control with this accessible name has the focus; its ring must be visible there. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  for (let count = 0; count < MAX_STOPS; count += 1) {
    const stop = await readStop(page);
    if (stop && (typeof name === "string" ? stop.name === name : name.test(stop.name))) {
      expect(stop.ring, `ring at ${stop.name}`).toBe(true);
      return;
    }
    if (stop) seen.push(stop.name);
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not reach ${name}. It passed ${[...new Set(seen)].join(", ")}.`);
}

/** Tabs to a control and presses a key there. */
export async function pressOn(page: Page, name: string | RegExp, key: "Enter" | "Space"): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** Positions of the stops on the page, all read at once: styles and parts come and go while the focus moves. */
const orderOfReached = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll("*")];
    return (window as never as { reached: Element[] }).reached.map((element) => all.indexOf(element));
  });

/** The focused control; null if nothing on the page has focus. */
const readStop = (page: Page): Promise<Omit<Stop, "order"> | null> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    (window as { reached?: Element[] }).reached?.push(element);
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const luminance = (color: string) =>
      (color.match(/[\d.]+/g) ?? [])
        .slice(0, 3)
        .map((part) => Number(part) / 255)
        .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, index) => sum + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);
    // The ring is two pixels outside the control, so the control's background is on both of its sides.
    let behind = element.parentElement;
    while (behind && /, 0\)|transparent/.test(getComputedStyle(behind).backgroundColor))
      behind = behind.parentElement;
    const sides = luminance(getComputedStyle(behind ?? document.body).backgroundColor);
    const ring = luminance(outlineColor);
    const contrast = (Math.max(ring, sides) + 0.05) / (Math.min(ring, sides) + 0.05);
    const label = (element as HTMLInputElement).labels?.[0]?.textContent;
    const shown = element.cloneNode(true) as Element;
    for (const hidden of shown.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    return {
      name: (element.getAttribute("aria-label") ?? label ?? (shown.textContent || element.id))
        .replaceAll(/\s+/g, " ")
        .trim(),
      ring: outlineStyle === "solid" && outlineWidth === "3px" && contrast >= 3 && element.checkVisibility(),
      main: element.closest("main") !== null,
    };
  });

/** Opens the system's dialog from the button and gives it the file. */
export async function chooseByKeyboard(page: Page, file: { name: string; buffer: Buffer }): Promise<void> {
  // Waits early: a chooser that opens before the browser knows of the test is never reported.
  const chooser = page.waitForEvent("filechooser");
  await pressOn(page, "Choose spreadsheet", "Enter");
  await (
    await chooser
  ).setFiles({ mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ...file });
}
