import { calm, calmPlace } from "#features/tracking/web/calm.ts";
import { expect, test } from "vitest";

test("TK-13 words and places that UPS writes in capitals are shown in normal case; others stay as they are", () => {
  expect([calm("FRONT DOOR"), calm("Origin Scan"), calm("")]).toEqual(["Front door", "Origin Scan", ""]);
  expect(
    ["MOUNTAIN VIEW, CA", "ST. LOUIS, MO", "O'FALLON, IL", "Sedona, AZ", "US", ""].map(calmPlace),
  ).toEqual(["Mountain View, CA", "St. Louis, MO", "O'Fallon, IL", "Sedona, AZ", "US", ""]);
});
