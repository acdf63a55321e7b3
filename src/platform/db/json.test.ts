import { expect, test } from "vitest";
import { toJson } from "#platform/db/json.ts";

test.each([
  ["half \ud83d", "half \ufffd"],
  ["\ude00 other half", "\ufffd other half"],
  ["none\0at all", "none\ufffdat all"],
  ["whole 😀", "whole 😀"],
  ["written \\ud83d \\u0000", "written \\ud83d \\u0000"],
])("a text is stored without what the database refuses: %j", (text, stored) => {
  expect(JSON.parse(toJson([{ text }]))).toEqual([{ text: stored }]);
});
