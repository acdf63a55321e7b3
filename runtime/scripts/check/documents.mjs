import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { inRoot } from "../lib/place.mjs";
import { readText } from "./files.mjs";

/** Folders that exist only where the product has run. */
const MADE_LATER = /^(data|dist|node_modules|\.cache|runtime\/node_modules|test-results)(\/|$)/;
const IN_BACKTICKS = /`([^`\n]+)`/g;
const LINKS = /\]\(([^)\s]+)\)/g;
const LOOKS_LIKE_PATH = /^[\w.@-]+(\/[\w.@-]+)*\/?(:\d+)?$/;

/** Checks that every path named in a document exists. */
export function checkDocuments(files) {
  const tops = new Set(files.filter((file) => file.includes("/")).map((file) => file.split("/")[0]));
  return files
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) => [...missingPaths(file, tops), ...missingLinks(file)]);
}

function missingPaths(file, tops) {
  return found(file, IN_BACKTICKS)
    .filter(
      (text) =>
        LOOKS_LIKE_PATH.test(text) &&
        text.includes("/") &&
        tops.has(text.split("/")[0]) &&
        !MADE_LATER.test(text),
    )
    .filter((text) => !existsSync(inRoot(text.replace(/:\d+$/, ""))))
    .map((text) => `${file} names ${text}, which is not there`);
}

function missingLinks(file) {
  return found(file, LINKS)
    .filter((link) => !/^([a-z]+:|#|\/)/.test(link))
    .map((link) => normalize(join(dirname(file), link.replace(/#.*$/, ""))))
    .filter((path) => !existsSync(inRoot(path)))
    .map((path) => `${file} links to ${path}, which is not there`);
}

const found = (file, pattern) => [...readText(file).matchAll(pattern)].map((match) => match[1]);
