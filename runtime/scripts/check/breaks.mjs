import { readBreaks } from "../lib/breaks.mjs";
import { readText } from "./files.mjs";

const BREAKS = "test/breaks.json";

/** Checks that each break of `test/breaks.json` still finds its place. */
export const checkBreaks = () => findLost(readBreaks(readText(BREAKS)), readText);

/** @param {readonly import("../lib/breaks.mjs").Break[]} breaks @returns {string[]} findings: breaks whose text isn't in their file once */
export const findLost = (breaks, read) =>
  breaks
    .filter(({ file, find }) => read(file).split(find).length !== 2)
    .map(({ name, file }) => `${BREAKS}: the text of "${name}" must be in ${file} once`);
