import { expect, test } from "vitest";
import { selectTests } from "./changed.mjs";

const TEXTS: Record<string, string> = {
  "src/formats/date.ts": "",
  "src/formats/date.test.ts": `import { read } from "./date.ts";`,
  "src/formats/names.test.ts": `import type { Read } from "./date.ts";`,
  "src/main/start.ts": `import "#features/orders/index.ts";\nimport "#features/labels/index.ts";`,
  "src/features/orders/index.ts": `import "./store.ts";`,
  "src/features/orders/store.ts": `import { read } from "#formats/date.ts";`,
  "src/features/orders/orders.test.ts": `import { startApp } from "../../../test/support/start-app.ts";`,
  "src/features/labels/index.ts": "",
  "src/features/labels/labels.test.ts": `import { startApp } from "../../../test/support/start-app.ts";`,
  "src/features/labels/labels.full.test.ts": `import { startApp } from "../../../test/support/start-app.ts";`,
  "test/support/start-app.ts": `import { start } from "../../src/main/start.ts";`,
  "test/e2e/orders.test.ts": `import "../support/start-app.ts";`,
};

test.each([
  ["src/formats/date.ts", ["src/formats/date.test.ts"]],
  ["src/features/orders/store.ts", ["src/features/orders/orders.test.ts"]],
  ["src/features/labels/labels.test.ts", ["src/features/labels/labels.test.ts"]],
  ["test/support/start-app.ts", ["src/features/orders/orders.test.ts", "src/features/labels/labels.test.ts"]],
  ["src/main/start.ts", ["src/features/orders/orders.test.ts", "src/features/labels/labels.test.ts"]],
  ["docs/faults.md", []],
])("a change of %s selects the tests that it concerns", (file, selected) => {
  const tests = selectTests(Object.keys(TEXTS), [file], (path: string) => TEXTS[path] ?? "");
  expect(tests).toEqual(selected);
});
