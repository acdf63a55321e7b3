import { expect, type Page } from "@playwright/test";

/** Text spacing that WCAG 1.4.12 lets users set. */
const SPACING =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }";

/**
 * Every text of the page is complete, in both directions: nothing is off-screen, no line is cut by its
 * container, runs out of its box or lies on another one, and only tables scroll sideways.
 */
export async function expectFits(page: Page, what: string): Promise<void> {
  // Rows that are drawn in part measure themselves again a moment after they changed.
  await expect.poll(() => page.evaluate(faultsOfTexts), { message: what }).toEqual(NO_FAULTS);
}

/** The same with the spacing of text that people set for themselves. */
export async function expectFitsSpaced(page: Page, what: string): Promise<void> {
  await page.evaluate((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets.push(sheet);
  }, SPACING);
  await expectFits(page, `${what}, with wide spacing`);
  await page.evaluate(() => void document.adoptedStyleSheets.pop());
}

const NO_FAULTS = { beside: 0, cut: [], outside: [], above: [], sideways: [] };

/** Runs in the page. A line is a text's box on one line, as far as its container shows it. */
function faultsOfTexts() {
  type Box = { left: number; right: number; top: number; bottom: number };
  type Line = Box & { text: Node; element: HTMLElement; isCut: boolean };

  const isBox = ({ left, right, top, bottom }: Box) => right - left > 2 && bottom - top > 2;
  const meet = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const holds = (outer: Box, { left, right, top, bottom }: Box) =>
    left >= outer.left - 2 && right <= outer.right + 2 && top >= outer.top - 3 && bottom <= outer.bottom + 3;
  const ancestors = (element: HTMLElement | null): HTMLElement[] =>
    element ? [element, ...ancestors(element.parentElement)] : [];
  const isPainted = (style: CSSStyleDeclaration) =>
    !/^rgba\(.*, 0\)$/.test(style.backgroundColor) ||
    (parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== "none");

  const clipped = new Map<HTMLElement, readonly HTMLElement[]>();
  /** Ancestors of a text that show only a part of it when it is too long, from the inside out. */
  const findClippers = (element: HTMLElement | null): readonly HTMLElement[] => {
    if (!element || element === document.body) return [];
    const known = clipped.get(element);
    if (known) return known;
    const { overflowX, overflowY, display } = getComputedStyle(element);
    const shows = display === "inline" || (overflowX === "visible" && overflowY === "visible");
    const all = [...(shows ? [] : [element]), ...findClippers(element.parentElement)];
    clipped.set(element, all);
    return all;
  };

  const findLines = (text: Node): Line[] => {
    const element = text.parentElement;
    // A part below the window that is not drawn yet has no lines.
    const drawn = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
    if (!element?.checkVisibility(drawn)) return [];
    const range = document.createRange();
    range.selectNodeContents(text);
    return [...range.getClientRects()].flatMap((full) => {
      let shown: Box = meet(full, full);
      let isCut = false;
      for (const around of findClippers(element)) {
        const { overflowX, overflowY } = getComputedStyle(around);
        const before = shown;
        shown = meet(shown, around.getBoundingClientRect());
        // A scrolled text is not cut; a one-pixel box is for screen readers only.
        if (/hidden|clip/.test(overflowX + overflowY) && around.offsetWidth > 1)
          isCut ||= !holds(shown, before);
      }
      return isBox(shown) || isCut ? [{ ...shown, text, element, isCut }] : [];
    });
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const lines: Line[] = [];
  while (walker.nextNode())
    if (walker.currentNode.textContent?.trim()) lines.push(...findLines(walker.currentNode));

  /** A menu, a dialog or the head of a table lies above the page on purpose, with a background of its own. */
  const isLayer = (element: HTMLElement, other: HTMLElement) =>
    ancestors(element)
      .filter((around) => !around.contains(other))
      .map((around) => getComputedStyle(around))
      .some(
        ({ position, backgroundColor }) =>
          /absolute|fixed|sticky/.test(position) && backgroundColor.startsWith("rgb("),
      );

  /** Letters leave a font's height free above and below. */
  const inkBox = ({ left, right, top, bottom }: Line): Box => {
    const free = (bottom - top) / 8;
    return { left, right, top: top + free, bottom: bottom - free };
  };

  const named = (all: readonly Line[]) => [...new Set(all.map(({ text }) => text.textContent ?? ""))];
  const inSight = lines.filter(({ isCut }) => !isCut);
  const outside = inSight.filter((line) => {
    const around = ancestors(line.element)
      .filter((each) => !each.contains(document.body))
      .find((each) => isPainted(getComputedStyle(each)));
    const isBeside = line.left < -1 || line.right > window.innerWidth + 1;
    return isBeside || (around !== undefined && !holds(around.getBoundingClientRect(), line));
  });
  const above = inSight.filter((line, index) =>
    inSight.slice(index + 1).some((other) => {
      if (other.top >= line.bottom || other.bottom <= line.top) return false;
      const isOnAnother = line.text !== other.text && isBox(meet(inkBox(line), inkBox(other)));
      return isOnAnother && !isLayer(line.element, other.element) && !isLayer(other.element, line.element);
    }),
  );
  return {
    beside: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    cut: named(lines.filter(({ isCut }) => isCut)),
    outside: named(outside),
    above: named(above),
    sideways: [...document.querySelectorAll<HTMLElement>("body *")]
      .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowX))
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .filter(
        (element) => !element.querySelector("table, [role=table]") && !element.closest("table, [role=table]"),
      )
      .map((element) => element.textContent.slice(0, 80)),
  };
}
