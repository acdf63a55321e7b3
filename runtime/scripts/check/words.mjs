import { isBrowserCode, isSource, isTest, readText } from "./files.mjs";

/** Files that access the browser's storage and handle its refusal. */
const STORES = ["src/web/kit/storage.ts", "src/web/kit/file-store.ts", "src/web/kit/session/realm-store.ts"];

/**
 * Files that write times. The kit's functions show the reader's time zone; tracking's show the zone of the
 * scan.
 */
const CLOCKS = /^src\/(web\/kit\/format|features\/tracking\/web\/format-time)[\w-]*\.ts$/;

/** Rules that the linter does not have. `on` selects files, `fault` matches a line. */
const RULES = [
  {
    on: (file) => isBrowserCode(file) && !isTest(file) && !file.startsWith("src/web/kit/"),
    fault:
      /(?<![\w.])fetch\(|\bXMLHttpRequest\b|from "axios"|import\("axios"\)|\bnew (EventSource|WebSocket)\b|\bsendBeacon\b/,
    say: "bypasses the kit's API client",
  },
  {
    on: (file) => isBrowserCode(file) && !isTest(file) && !STORES.includes(file),
    fault: /\b(localStorage|sessionStorage|indexedDB)\b|\bdocument\.cookie\b|\bcookieStore\b/,
    say: "bypasses the kit's storage, which handles denied access",
  },
  {
    on: (file) => isBrowserCode(file) && !isTest(file) && !CLOCKS.test(file),
    fault: /\bDateTimeFormat\b|\.toLocale[A-Z]\w*\(|\.to(Date|Time|UTC)String\(/,
    say: "bypasses the kit's time formatting, which names the zone",
  },
  {
    on: (file) =>
      /^(src|gallery)\//.test(file) && file.endsWith(".tsx") && !isTest(file) && !file.includes("/fixtures/"),
    fault:
      /\b(aria-label|aria-description|title|placeholder|alt|label)="[^"]*[A-Za-z]{2}|>[^<>{}=;()]*[A-Za-z]{2,}[^<>{}=;()]*<\/|^\s+[A-Z][a-z]+( [a-z,.]+)+$/,
    say: "has hard-coded text: move it to the feature's words.ts",
  },
  { on: isSource, fault: /^(export )?interface /, say: "declares an interface: use a type" },
  {
    on: isSource,
    fault: /^(export )?enum |^(export )?namespace /,
    say: "uses syntax that Node cannot strip",
  },
  {
    on: (file) => isSource(file) && !isTest(file),
    fault: /\bclass (?!\w+ extends (\w*Error|\w*Failure|\w*Fault)\b)[A-Z]\w*/,
    say: "declares a class that isn't an error",
  },
  {
    on: isSource,
    fault: /(ox|es)lint-disable(?!.* -- \S)/,
    say: "switches a rule off without saying why after --",
  },
  { on: isSource, fault: /@ts-(ignore|nocheck)/, say: "switches the type check off" },
  {
    on: (file) => isSource(file) && !file.includes("/contract"),
    fault: /import \{[^}]*\bz\b[^}]*\} from "zod"/,
    say: 'imports { z }: write import * as z from "zod"',
  },
  {
    on: (file) => isTest(file),
    fault: /\b(vi|jest)\.(mock|doMock)\("[#.]/,
    say: "mocks a module of our own",
  },
  {
    on: isTest,
    fault: /\b[A-Z]{2,3}-\d+ ?(to|through|\u2013|\u2014|\.\.+|\u2026) ?[A-Z]{2,3}-\d/,
    say: "names acceptance rows as a range: write each of them out",
  },
  {
    on: (file) => isTest(file) || file.startsWith("test/"),
    fault: /\b(test|it|describe)\.only\(/,
    say: "runs one test only",
  },
  {
    on: (file) => file.startsWith("src/platform/") || /^src\/(features|integrations|formats)\//.test(file),
    fault: /\bprocess\.env\b/,
    say: "reads the environment: only the configuration does",
    except: isTest,
  },
];

/** Checks coding habits that can be found by searching lines. @param read returns a file's text */
export function checkWords(files, read = readText) {
  return files.filter((file) => /\.tsx?$/.test(file)).flatMap((file) => findingsIn(file, read));
}

function findingsIn(file, read) {
  const rules = RULES.filter((rule) => rule.on(file) && !rule.except?.(file));
  const lines = rules.length > 0 ? read(file).split("\n") : [];
  return lines.flatMap((line, index) =>
    rules.filter((rule) => rule.fault.test(line)).map((rule) => `${file}:${index + 1} ${rule.say}`),
  );
}
