import { expect, test } from "vitest";
import { checkImports } from "./imports.mjs";

const checkImport = (file: string, text: string): string[] => checkImports([file], () => text);

test.each([
  ["src/platform/x.ts", "#features/companies/index.ts", "platform may not import feature"],
  ["src/platform/x.ts", "#integrations/intuit/client.ts", "platform may not import integrations"],
  ["src/integrations/intuit/x.ts", "#features/companies/index.ts", "integrations may not import feature"],
  ["src/integrations/intuit/x.ts", "../objects/file-store.ts", "integrations may not import integrations"],
  ["src/formats/xlsx/x.ts", "#platform/ids.ts", "formats may not import platform"],
  ["src/formats/xlsx/x.ts", "../table/cells.ts", "formats may not import formats"],
  ["src/formats/xlsx/x.ts", "../csv/read-csv.ts", "formats may not import formats"],
  ["src/formats/facts.ts", "./text/phrases.ts", "formats may not import formats"],
  ["src/formats/table/x.ts", "../attic/x.ts", "formats may not import formats"],
  ["src/formats/table/x.ts", "#features/sheets/index.ts", "formats may not import feature"],
  ["src/contract/x.ts", "#platform/ids.ts", "contract may not import platform"],
  [
    "src/features/invoices/accept/x.ts",
    "#features/companies/store.ts",
    "through its index.ts or contract.ts",
  ],
  [
    "src/features/identity/x.ts",
    "#features/invoices/index.ts",
    "the arrow identity→invoices is not in the list",
  ],
  ["src/features/invoices/accept/x.ts", "#web/kit/words.ts", "feature may not import web kit"],
  ["src/features/invoices/web/x.tsx", "#features/invoices/store.ts", "feature web may not import feature"],
  ["src/features/invoices/web/x.tsx", "pg", "which cannot run in a browser"],
  ["src/features/invoices/web/x.tsx", "#features/sheets/web/x.tsx", "through its index.ts or contract.ts"],
  ["src/features/sheets/web/x.tsx", "#features/invoices/web/index.ts", "the arrow sheets→invoices"],
  ["src/features/sheets/web/x.tsx", "#features/invoices/contract.ts", "the arrow sheets→invoices"],
  [
    "src/features/invoices/accept/x.ts",
    "#features/sheets/web/index.ts",
    "feature may not import feature web",
  ],
  ["src/web/kit/x.ts", "../../../gallery/stage.tsx", "web kit may not import gallery"],
  ["src/main/x.ts", "../../gallery/page.tsx", "main starts them, it does not import them"],
  ["gallery/x.tsx", "#features/invoices/store.ts", "gallery may not import feature"],
  ["src/web/kit/x.ts", "node:fs", "which cannot run in a browser"],
  ["src/web/kit/x.ts", "#web/frame/words.ts", "web kit may not import web"],
  ["src/web/kit/x.ts", "#features/invoices/contract.ts", "web kit may not import feature contract"],
  ["src/features/invoices/contract.ts", "kysely", "a contract imports zod only"],
  ["src/main/x.ts", "#features/companies/store.ts", "a feature is used through its index.ts"],
  ["src/main/x.ts", "../../simulators/main.ts", "main starts them, it does not import them"],
  ["simulators/intuit/x.ts", "../../src/platform/ids.ts", "simulators may not import platform"],
])("%s may not import %s", (file, specifier, fault) => {
  expect(checkImport(file, `import { a } from "${specifier}";`)).toEqual([expect.stringContaining(fault)]);
});

test.each([
  ["src/main/x.ts", "#features/companies/index.ts"],
  ["src/features/invoices/accept/x.ts", "#features/companies/index.ts"],
  ["src/features/invoices/accept/x.ts", "#features/identity/contract.ts"],
  ["src/features/invoices/accept/x.ts", "#formats/xlsx/guard.ts"],
  ["src/features/invoices/undo/contract.ts", "#features/invoices/contract.ts"],
  ["src/main/x.ts", "#features/invoices/undo/contract.ts"],
  ["src/features/invoices/web/x.tsx", "#features/companies/contract.ts"],
  ["src/features/invoices/web/x.tsx", "#web/kit/words.ts"],
  ["src/web/x.tsx", "#features/invoices/web/page.tsx"],
  ["src/formats/table/x.ts", "../xlsx/cell-names.ts"],
  ["src/formats/table/x.ts", "../facts.ts"],
  ["src/formats/csv/x.ts", "../facts.ts"],
  ["src/web/kit/x.ts", "#features/identity/contract.ts"],
  ["simulators/intuit/x.ts", "../kit/clock.ts"],
  ["src/features/invoices/x.test.ts", "#features/companies/store.ts"],
])("%s may import %s", (file, specifier) => {
  expect(checkImport(file, `import { a } from "${specifier}";`)).toEqual([]);
});

const checkTexts = (texts: Record<string, string>) =>
  checkImports(Object.keys(texts), (file: string) => texts[file] ?? "");

test("rooms of a feature that use each other are reported, though no file imports itself", () => {
  for (const form of ["import { a }", "import type { A }", "export { a }"])
    expect(
      checkTexts({
        "src/features/orders/intake/a.ts": `${form} from "#features/orders/store.ts";`,
        "src/features/orders/store.ts": `${form} from "#features/orders/folders/b.ts";`,
        "src/features/orders/folders/b.ts": `${form} from "#features/orders/intake/c.ts";`,
        "src/features/orders/intake/c.ts": "export const c = 1;",
      }),
    ).toEqual([
      "src/features/orders/intake imports itself by a way round: src/features/orders/intake → src/features/orders/store.ts → src/features/orders/folders → src/features/orders/intake",
    ]);
});

test("a contract of a later room, and routes of an earlier one, close no circle of rooms", () => {
  expect(
    checkTexts({
      "src/features/books/lists/search.ts": 'import type { A } from "#features/books/names/contract.ts";',
      "src/features/books/lists/routes.ts": 'import { b } from "#features/books/names/create.ts";',
      "src/features/books/names/create.ts": 'import { c } from "#features/books/lists/search.ts";',
    }),
  ).toEqual([]);
});

test("an import cycle is reported once with its path, type imports too", () => {
  const texts: Record<string, string> = {
    "src/platform/a.ts": 'import type { B } from "#platform/b.ts";',
    "src/platform/b.ts": 'import { c } from "#platform/c.ts";',
    "src/platform/c.ts": 'export type { A } from "#platform/a.ts";\nimport { d } from "#platform/d.ts";',
    "src/platform/d.ts": "export const d = 1;",
  };
  expect(checkTexts(texts)).toEqual([
    "src/platform/a.ts imports itself by a way round: src/platform/a.ts → src/platform/b.ts → src/platform/c.ts → src/platform/a.ts",
  ]);
});

test("an import counts in every syntax, and is reported with its line", () => {
  const forms = [
    'import type { A } from "#platform/ids.ts";',
    'export { a } from "#platform/ids.ts";',
    'import "#platform/ids.ts";',
    'const a = await import("#platform/ids.ts");',
    'import {\n  a,\n} from "#platform/ids.ts";',
    'new Worker(new URL("../../platform/ids.ts", import.meta.url));',
  ];
  for (const form of forms) {
    expect(checkImport("src/formats/xlsx/x.ts", `const b = 1;\n${form}\n`)).toEqual([
      "src/formats/xlsx/x.ts:2 imports src/platform/ids.ts: formats may not import platform",
    ]);
  }
});
