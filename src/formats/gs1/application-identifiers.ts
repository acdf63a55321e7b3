/** What an application identifier holds. */
export type Identifier = {
  /** Abbreviated title as GS1 has it, printed beside the bar code. */
  title: string;
  /** What its value must look like. */
  pattern: RegExp;
  /** Its length is known to every scanner, so that nothing must close it. */
  isFixed?: true;
  /** How many of its first digits end in a check digit. */
  checked?: number;
};

/** Characters that an alphanumeric value may hold: CSET 82. No space is among them. */
export const CSET_82 = "A-Za-z0-9!\"%&'()*+,\\-./:;<=>?_";

const text = (max: number) => new RegExp(`^[${CSET_82}]{1,${max}}$`);
const digits = (count: number) => new RegExp(`^\\d{${count}}$`);
const gln = (title: string): Identifier => ({ title, pattern: digits(13), isFixed: true, checked: 13 });
const day = (title: string): Identifier => ({
  title,
  pattern: /^\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$/,
  isFixed: true,
});
const internal = (max: number): Identifier => ({ title: "INTERNAL", pattern: text(max) });

/**
 * The identifiers that carton labels use.
 * @see GS1 Syntax Dictionary: lengths, character sets, and which are of predefined length. 402 is 17 digits, yet not of
 *   predefined length, so that it must be closed.
 */
export const IDENTIFIERS: Readonly<Record<string, Identifier>> = {
  "00": { title: "SSCC", pattern: digits(18), isFixed: true, checked: 18 },
  "01": { title: "GTIN", pattern: digits(14), isFixed: true, checked: 14 },
  "02": { title: "CONTENT", pattern: digits(14), isFixed: true, checked: 14 },
  "10": { title: "BATCH/LOT", pattern: text(20) },
  "11": day("PROD DATE"),
  "13": day("PACK DATE"),
  "15": day("BEST BEFORE"),
  "17": day("USE BY"),
  "20": { title: "VARIANT", pattern: digits(2), isFixed: true },
  "21": { title: "SERIAL", pattern: text(20) },
  "30": { title: "VAR. COUNT", pattern: /^\d{1,8}$/ },
  "37": { title: "COUNT", pattern: /^\d{1,8}$/ },
  "240": { title: "ADDITIONAL ID", pattern: text(30) },
  "241": { title: "CUST. PART No.", pattern: text(30) },
  "400": { title: "ORDER NUMBER", pattern: text(30) },
  "401": { title: "GINC", pattern: new RegExp(`^\\d{4}[${CSET_82}]{0,26}$`) },
  "402": { title: "GSIN", pattern: digits(17), checked: 17 },
  "403": { title: "ROUTE", pattern: text(30) },
  "410": gln("SHIP TO LOC"),
  "413": gln("SHIP FOR LOC"),
  "420": { title: "SHIP TO POST", pattern: text(20) },
  "421": { title: "SHIP TO POST", pattern: new RegExp(`^\\d{3}[${CSET_82}]{1,9}$`) },
  "90": internal(30),
  "91": internal(90),
  "92": internal(90),
  "93": internal(90),
  "94": internal(90),
  "95": internal(90),
  "96": internal(90),
  "97": internal(90),
  "98": internal(90),
  "99": internal(90),
};

/** Identifiers that one symbol must have beside another, one of them at least, and those it must not have. */
export const PAIRS: readonly {
  ai: string;
  with?: readonly (readonly string[])[];
  without?: readonly string[];
}[] = [
  { ai: "01", without: ["02", "37"] },
  { ai: "02", with: [["00"], ["37"]] },
  { ai: "37", with: [["02"], ["00"]] },
  { ai: "10", with: [["01", "02"]] },
  { ai: "21", with: [["01"]] },
  { ai: "20", with: [["01", "02"]] },
  { ai: "240", with: [["01", "02"]] },
  { ai: "241", with: [["01", "02"]] },
  { ai: "403", with: [["00"]] },
  { ai: "420", without: ["421"] },
];
