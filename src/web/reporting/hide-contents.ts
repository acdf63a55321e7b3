import { keepVisualAttributes } from "#contract/drawn-attributes.ts";
import { redactSecrets } from "#contract/secret-patterns.ts";
import type { RecordedEvent } from "#web/reporting/event-window.ts";

/** Elements whose content no recorder sees: the card form and documents in frames, pictures. */
export const BLOCKED = ["iframe", "img", "video", "object"];

/** Value of a data attribute in a selector, such as the id of the company whose name is shown. */
const DATA = /(\[data-[\w-]+)[^\]]*/g;

/** Letters and digits become x: the shape of a text stays, and nothing of what it says. */
export const hideText = (text: string): string => text.replaceAll(/[\p{L}\p{N}]/gu, "x");

/** Cuts the query of an address, where codes and searched names are, and secrets of its path. */
export const hideAddress = (address: string): string => redactSecrets(address.replace(/[?#].*$/s, ""));

/** Leaves out of an event what the page says: attributes that don't draw it, also in style rules, and queries of addresses. */
export function hideContents(event: RecordedEvent): RecordedEvent {
  return { ...event, data: hide(event.data) };
}

function hide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hide);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      if (name === "attributes") return [[name, hideAttributes(inner)]];
      if (name === "href" && typeof inner === "string") return [[name, hideAddress(inner)]];
      if (name === "rule" && typeof inner === "string") return [[name, inner.replaceAll(DATA, "$1")]];
      return [[name, hide(inner)]];
    }),
  );
}

/** Attributes of an element, or the list of changed elements with theirs. */
function hideAttributes(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(hide);
  if (typeof given !== "object" || given === null) return given;
  return keepVisualAttributes(given);
}
