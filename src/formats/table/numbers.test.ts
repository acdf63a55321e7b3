import { expect, test } from "vitest";
import { formatQty } from "./amounts.ts";
import { readNumberText } from "./numbers.ts";

const read = (text: string) => {
  const number = readNumberText(text, 2);
  return number.ok ? formatQty(number.value) : number.why.hint;
};

test.each([
  ["60.-", "60"],
  ["60.--", "60"],
  ["60.\u2013", "60"],
  ["$60.-", "60"],
  ["1,250.-", "1250"],
  ["-60.-", "-60"],
  ["(60.-)", "-60"],
  ["60-", "-60"],
  ["60.00-", "-60"],
  ["60,-", "decimal_comma"],
  ["1.250,-", "decimal_comma"],
  ["1.250.-", "plain"],
  ["-", "dash"],
  ["2\u00B2", "plain"],
  ["5\u2460", "plain"],
  ["2\u00BD", "plain"],
  ["10\u2070.50", "plain"],
  ["$1\u00B9", "plain"],
  ["12 m\u00B2", "unit"],
  ["\uFF11\uFF12", "12"],
])(
  "%s is read as %s: a superscript is no digit, and after a point or comma a dash means no cents, and is not a sign",
  (text, value) => {
    expect(read(text)).toBe(value);
  },
);
