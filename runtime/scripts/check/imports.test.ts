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

test.each([
  ["src/features/invoices/workbook/x.ts", "#features/invoices/plan/rules.ts", "workbook may not use plan"],
  ["src/features/invoices/plan/x.ts", "#features/invoices/undo/rules.ts", "plan may not use undo"],
  ["src/features/invoices/accept/x.ts", "#features/invoices/check/x.ts", "accept may not use check"],
  ["src/features/invoices/ctx.ts", "#features/invoices/ledger/store.ts", "shared may not use ledger"],
  ["src/features/invoices/runs.ts", "#features/invoices/post/x.ts", "shared may not use post"],
  ["src/features/invoices/accept/x.ts", "#features/invoices/check/routes.ts", "accept may not use routes"],
  ["src/features/invoices/ledger/x.ts", "#features/invoices/undo/contract.ts", "ledger may not use undo"],
  ["src/features/invoices/runs.ts", "#features/invoices/undo/contract.ts", "shared may not use undo"],
  ["src/features/invoices/contract.ts", "#features/invoices/undo/contract.ts", "contract may not use undo"],
  [
    "src/features/invoices/check/contract.ts",
    "#features/invoices/receipt/contract.ts",
    "check may not use receipt",
  ],
  ["src/features/invoices/plan/x.ts", "#features/invoices/index.ts", "plan may not use routes"],
])("a room uses only those before it: %s may not import %s", (file, specifier, fault) => {
  for (const form of ["import { a }", "import type { A }", "export { a }"])
    expect(checkImport(file, `${form} from "${specifier}";`)).toEqual([expect.stringContaining(fault)]);
});

test.each([
  ["src/features/invoices/undo/x.ts", "#features/invoices/post/x.ts"],
  ["src/features/invoices/plan/x.ts", "#features/invoices/plan/rules.ts"],
  ["src/features/invoices/receipt/contract.ts", "#features/invoices/check/contract.ts"],
  ["src/features/invoices/ledger/x.ts", "#features/invoices/contract.ts"],
  ["src/features/invoices/web/x.tsx", "#features/invoices/undo/contract.ts"],
  ["src/features/invoices/types.ts", "#features/invoices/contract.ts"],
  ["src/features/invoices/accept/x.ts", "#features/invoices/runs.ts"],
  ["src/features/invoices/check/routes.ts", "#features/invoices/accept/x.ts"],
  ["src/features/invoices/handlers.ts", "#features/invoices/undo/x.ts"],
  ["src/features/invoices/ledger/x.test.ts", "#features/invoices/undo/x.ts"],
])("a room may use itself and those before it: %s may import %s", (file, specifier) => {
  expect(checkImport(file, `import { a } from "${specifier}";`)).toEqual([]);
});

test.each(["src/features/invoices/attic/x.ts", "src/features/invoices/store.ts"])(
  "every server file of a feature with rooms is in one: %s is not",
  (file) => {
    expect(checkImport(file, "")).toEqual([expect.stringContaining("is in no room")]);
  },
);

test("an import cycle is reported once with its path, type imports too", () => {
  const texts: Record<string, string> = {
    "src/platform/a.ts": 'import type { B } from "#platform/b.ts";',
    "src/platform/b.ts": 'import { c } from "#platform/c.ts";',
    "src/platform/c.ts": 'export type { A } from "#platform/a.ts";\nimport { d } from "#platform/d.ts";',
    "src/platform/d.ts": "export const d = 1;",
  };
  expect(checkImports(Object.keys(texts), (file: string) => texts[file] ?? "")).toEqual([
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
