import { expect, test } from "vitest";
import { createEventWindow, type RecordedEvent } from "#web/reporting/event-window.ts";
import { hideContents, hideText } from "#web/reporting/hide-contents.ts";
import { isRefusalToPage, reportsRecorderFailure } from "#web/reporting/rules-recorder.ts";
import { seededRandom } from "../../../test/faults/support/battery.ts";

const META = 4;
const event = (timestamp: number, type = 3, data: unknown = {}): RecordedEvent => ({ type, timestamp, data });

test("QC-19 the recorder keeps 1,000 events: event 1,001 drops the oldest", () => {
  const events = createEventWindow();
  events.add(event(1, META));
  for (let at = 2; at <= 1_000; at += 1) events.add(event(at, at === 500 ? META : 3));
  expect(events.size).toBe(1_000);
  events.add(event(1_001));
  expect(events.size).toBe(1_000);
  const taken = events.take();
  expect([taken[0]?.timestamp, taken.at(-1)?.timestamp]).toEqual([500, 1_001]);
  expect(events.size).toBe(0);
});

test("a recording that has not been dropped from is uploaded from its first event, and one without a picture not at all", () => {
  const events = createEventWindow(3);
  for (const at of [1, 2, 3]) events.add(event(at, at === 1 ? META : 3));
  expect(events.take().map(({ timestamp }) => timestamp)).toEqual([1, 2, 3]);
  for (const at of [4, 5, 6, 7]) events.add(event(at));
  expect(events.take()).toEqual([]);
});

test("QC-20 of the recorder's own failures a quarter is reported for app ids with the prefix, all for others, and the prefix is configurable", () => {
  const random = seededRandom(7);
  const count = (appId: string, prefix = "au2drp/") =>
    Array.from({ length: 10_000 }, () =>
      reportsRecorderFailure({ appId, prefix, rate: 0.25 }, random),
    ).filter(Boolean).length;
  expect(Math.abs(count("au2drp/dockside") - 2_500)).toBeLessThan(150);
  expect(count("own/dockside")).toBe(10_000);
  expect(Math.abs(count("own/dockside", "own/") - 2_500)).toBeLessThan(150);
});

test("a rule that only other browsers know isn't a failure of the recorder", () => {
  expect(isRefusalToPage(new DOMException("Failed to parse the rule.", "SyntaxError"))).toBe(true);
  expect([new SyntaxError("x"), new DOMException("x", "SecurityError"), "x"].map(isRefusalToPage)).toEqual([
    false,
    false,
    false,
  ]);
});

test("RP-13 a recording keeps how a page is drawn, and nothing of what it says", () => {
  expect(hideText("Müller & Söhne, 1Z999AA10123456784: $1,200.50")).toBe(
    "xxxxxx & xxxxx, xxxxxxxxxxxxxxxxxx: $x,xxx.xx",
  );
  const recorded = event(1, 2, {
    href: "https://dockside.example/app/?code=secret#1",
    node: {
      childNodes: [
        {
          tagName: "a",
          attributes: {
            href: "/app/uploads/march.xlsx",
            title: "march.xlsx",
            "aria-label": "Open march.xlsx",
            "data-name": "Acme",
            class: "row",
            style: "top: 4px",
            "aria-expanded": "true",
          },
        },
      ],
    },
    attributes: [{ id: 7, attributes: { value: "Acme", class: "open" } }],
    styles: [{ rules: [{ rule: '.line:not([data-company="9130357"]) { color: red }', index: 0 }] }],
  });
  expect(hideContents(recorded)).toEqual({
    type: 2,
    timestamp: 1,
    data: {
      href: "https://dockside.example/app/",
      node: {
        childNodes: [
          { tagName: "a", attributes: { class: "row", style: "top: 4px", "aria-expanded": "true" } },
        ],
      },
      attributes: [{ id: 7, attributes: { class: "open" } }],
      styles: [{ rules: [{ rule: ".line:not([data-company]) { color: red }", index: 0 }] }],
    },
  });
});
