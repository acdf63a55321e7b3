import { expect, test } from "vitest";
import { findNumbers, foldKey } from "#features/tracking/rules-numbers.ts";

const ONE = "1Z12345E0205271688";
const TWO = "1Z12345E6605272234";

test.each([
  ["", [], []],
  [ONE, [ONE], []],
  [ONE.toLowerCase(), [ONE], []],
  ["1Z 123 45E 02 0527 1688", [ONE], []],
  ["UPS: 1Z-12345E-02-0527-1688, thanks", [ONE], []],
  [`${ONE}, ${TWO}`, [ONE, TWO], []],
  [`${ONE}${TWO}`, [ONE, TWO], []],
  [`${ONE} ${ONE}`, [ONE], []],
  [`${ONE}/${TWO}; 794612345678`, [ONE, TWO], ["FedEx"]],
  ["FedEx 794612345678", [], ["FedEx"]],
  ["7946 1234 5678", [], ["FedEx"]],
  ["9400 1000 0000 0000 0000 00", [], ["USPS"]],
  ["USPS", [], ["USPS"]],
  [`X${ONE}`, [], []],
  [`${ONE}9`, [], []],
  ["1Z999 lost package number", [], []],
  ["1Z12345E02052716AB", ["1Z12345E02052716AB"], []],
  ["1Z 12345E 02 0527 16AB", [], []],
  ["picked up by customer", [], []],
])("TK-08 TK-09 numbers in the text %j", (text, numbers, others) => {
  expect(findNumbers(text)).toEqual({ numbers, others });
});

test.each([
  ["PO # 80001", "80001"],
  ["po80001", "80001"],
  [" 80 001 ", "80001"],
  ["INV-7", "INV-7"],
  ["PO-7", "-7"],
  ["PO No. 80001", "80001"],
  ["Portland", "PORTLAND"],
  ["North 7", "NORTH7"],
])("TK-16 the key of %j", (text, key) => {
  expect(foldKey(text)).toBe(key);
});
