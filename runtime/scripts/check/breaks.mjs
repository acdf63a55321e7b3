import { readBreaks } from "../lib/breaks.mjs";
import { readText } from "./files.mjs";

const BREAKS = "test/breaks.json";

/** Checks that each mutation in `test/breaks.json` still matches exactly one place. */
export const checkBreaks = () => findUnmatched(readBreaks(readText(BREAKS)), readText);

/** @param {readonly import("../lib/breaks.mjs").Break[]} breaks @returns {string[]} findings: mutations whose text doesn't occur exactly once */
export const findUnmatched = (breaks, read) =>
  breaks
    .filter(({ file, find }) => read(file).split(find).length !== 2)
    .map(({ name, file }) => `${BREAKS}: the text of "${name}" must be in ${file} once`);
