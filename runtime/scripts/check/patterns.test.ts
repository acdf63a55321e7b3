import { expect, test } from "vitest";
import { findSlowText } from "./patterns.mjs";

test.each([
  [/\b[\w-]+:[A-Za-z0-9+/]{43}=/g],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g],
  [/^(?:net|n|days?|d|due|in|within|terms?|\d+)+$/],
  [/\bVersion\/.*Safari\//],
  [/^([^\d]*?)\s*-?\d[\d.,]*\s*([^\d]*)$/],
  [/^(\d+\.?\d*|\.\d+)$/],
  [/<\s*([^<>]*?)\s*>\s*$/],
  [/\?.*$/],
  [/\s+$/],
  [/^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  [/\[\$([^\]-]+)(?:-[^\]]*)?\]/],
])("%s is slow", (pattern) => {
  expect(findSlowText(pattern)).not.toBeNull();
});

test.each([
  [/(\w:)[A-Za-z0-9+/]{43}=/g],
  [/\beyJ[\w-]+(?:\.[\w-]+){0,2}/g],
  [/^\s*</],
  [/\?.*$/s],
  [/\ba+b/],
])("%s is quick", (pattern) => {
  expect(findSlowText(pattern)).toBeNull();
});
