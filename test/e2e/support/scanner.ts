import type { Page } from "@playwright/test";

/** Milliseconds between two keys of a wedge scanner. */
const KEY_MS = 5;

/**
 * Types a text and Enter as a wedge scanner does. Each key carries its own time, so that a busy machine, which delivers them
 * late, makes no person of the scanner.
 */
export async function scan(page: Page, text: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const start = await page.evaluate(() => performance.timeOrigin);
  for (const [index, key] of [...text, "Enter"].entries()) {
    const timestamp = (start + index * KEY_MS) / 1_000;
    const code = key === "Enter" ? 13 : key.charCodeAt(0);
    const typed = { key, windowsVirtualKeyCode: code, timestamp };
    await session.send("Input.dispatchKeyEvent", {
      type: "keyDown",
      text: key === "Enter" ? "\r" : key,
      ...typed,
    });
    await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...typed });
  }
  await session.detach();
}
