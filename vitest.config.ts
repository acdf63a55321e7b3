import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A test needs a database when it takes one from the test support, or is separate because it runs the whole product. */
const USES_DATABASE = /\/support\/[\w-]+\.ts"/;

/** Files that only `npm test -- full` runs, or a command that names them. */
const IS_FULL = /\.full\.test\.tsx?$/;
const withoutFull = process.env.WITHOUT_FULL === "1";

const tests = ["src", "simulators", "test", "runtime/scripts"]
  .flatMap(testsBelow)
  .filter((file) => !file.startsWith("test/e2e/"))
  .filter((file) => !withoutFull || !IS_FULL.test(file));
const pages = tests.filter((file) => file.endsWith(".tsx") || asks(file, "@vitest-environment jsdom"));
const api = tests.filter((file) => file.endsWith(".ts") && needsDatabase(file));
const unit = tests.filter((file) => !pages.includes(file) && !api.includes(file));

const shared = {
  // A busy machine does late what is waited for; tests name a time only where it is what they prove.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  restoreMocks: true,
  unstubEnvs: true,
  runner: "test/support/ledger-runner.ts",
};
/**
 * Settings for tests that read workbooks in threads, as the product does. Test files of a worker share the modules that they
 * load, and Node loads them on its own, as the product's: this makes unit tests take a third of the work.
 */
const server = {
  ...shared,
  environment: "node" as const,
  setupFiles: "test/support/compile-cache.ts",
  experimental: { viteModuleRunner: false },
};

const inPage = {
  ...shared,
  environment: "jsdom",
  setupFiles: [
    "test/support/compile-cache.ts",
    "test/support/page-waits.ts",
    "test/support/page-styles.ts",
    "test/support/page-owners.ts",
  ],
};

const ledger = JSON.parse(readFileSync("test/ledger.json", "utf8")) as Record<string, number>;

/** CPU seconds. */
const LONG = 5;

/** Begun last, a long one would run alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      (ledger[relative(process.cwd(), moduleId)] ?? LONG) >= LONG;
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongFirst },
    projects: [
      { test: { ...server, name: "unit", include: unit, isolate: false } },
      { test: { ...inPage, name: "pages", include: pages, isolate: false } },
      {
        test: {
          ...server,
          name: "api",
          include: api,
          isolate: false,
          globalSetup: "test/support/global-setup.ts",
        },
      },
    ],
  },
});

function needsDatabase(file: string): boolean {
  return file.startsWith("test/") || USES_DATABASE.test(readFileSync(file, "utf8"));
}

function asks(file: string, text: string): boolean {
  return readFileSync(file, "utf8").includes(text);
}

function testsBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.filter((file) => /\.test\.tsx?$/.test(file)).map((file) => join(folder, file));
}
