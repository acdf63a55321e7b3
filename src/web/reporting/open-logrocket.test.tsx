import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runInThisContext } from "node:vm";
import setup from "logrocket/setup.js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { seededRandom } from "../../../test/faults/support/battery.ts";

const PACKAGE = createRequire(import.meta.url).resolve("logrocket/setup.js");

/** Parts of the package's object that its types leave out. */
type Queue = ReturnType<typeof setup> & {
  onLogger(logger: object): void;
  uninstall(): void;
  isDisabled: boolean;
};

/** The package makes one object for each page. */
const forget = () => void Reflect.deleteProperty(window, "LogRocket");

beforeEach(() => {
  forget();
  // A browser without it is too old for the package, which does nothing then.
  Object.assign(HTMLScriptElement, { supports: () => true });
});
afterEach(() => {
  forget();
  Reflect.deleteProperty(HTMLScriptElement, "supports");
});

/** A logger as LogRocket's script makes it, which counts its calls. */
function countingLogger() {
  const calls: string[] = [];
  const count = (name: string) => () => void calls.push(name);
  const logger = { init: count("init"), track: count("track"), uninstall: count("uninstall") };
  return { calls, logger };
}

function openQueue(): Queue {
  const queue = setup({ sdkServer: "http://localhost/t/l", ingestServer: "http://localhost/t/l" }) as Queue;
  queue.init("org/app", { shouldDetectExceptions: false, network: { isEnabled: false } });
  return queue;
}

test("LogRocket's package asks only the given address for its script, and has it send there", () => {
  const queue = openQueue();
  const scripts = [...document.head.querySelectorAll("script")].map(({ src }) => src);
  expect(scripts.at(-1)).toBe("http://localhost/t/l/logger.min.js");
  expect(Reflect.get(window, "__SDKCONFIG__")).toMatchObject({
    serverURL: "http://localhost/t/l/i",
    statsURL: "http://localhost/t/l/s",
  });
  queue.uninstall();
});

test("QC-19 LogRocket's package queues 1,000 calls until its script is there, and gives up at the 1,001st", () => {
  const { calls, logger } = countingLogger();
  const queue = openQueue();
  // The first of them is its start.
  for (let at = 0; at < 999; at += 1) queue.track("event");
  queue.onLogger(logger);
  expect([calls.length, calls.filter((name) => name === "track").length]).toEqual([1_000, 999]);
  queue.uninstall();
  forget();

  const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
  const [late, full] = [countingLogger(), openQueue()];
  for (let at = 0; at < 999; at += 1) full.track("event");
  expect(full.isDisabled).toBe(false);
  full.track("event");
  expect(full.isDisabled).toBe(true);
  expect(warn.mock.calls.flat().join()).toContain("LogRocket: script did not load");
  full.onLogger(late.logger);
  expect(late.calls).toEqual([]);
});

test("QC-20 LogRocket's package reports a quarter of its own faults for app ids with the prefix, and all for others", () => {
  const sendTelemetry = readSendTelemetry();
  const sent: string[] = [];
  class CountingRequest {
    open(_method: string, url: string) {
      sent.push(new URL(url).origin);
    }
    send() {}
  }
  Object.assign(window, { _lrXMLHttpRequest: CountingRequest });
  const random = seededRandom(7);
  vi.spyOn(Math, "random").mockImplementation(random);
  const count = (appID: string) => {
    sent.length = 0;
    for (let at = 0; at < 4_000; at += 1) sendTelemetry("made", { extra: { appID } });
    return sent.length;
  };
  expect(Math.abs(count("au2drp/dockside") - 1_000)).toBeLessThan(100);
  expect(count("org/dockside")).toBe(4_000);
  // To a fixed address, which our policy refuses.
  expect(new Set(sent)).toEqual(new Set(["https://e.logrocket.com"]));
  Reflect.deleteProperty(window, "_lrXMLHttpRequest");
});

type SendTelemetry = (message: string, more: { extra: { appID: string } }) => void;

/** Runs the package's own code, with one statement more that shows a function of it which nothing else can call. */
function readSendTelemetry(): SendTelemetry {
  const inner = "./packages/@logrocket/utils/src/sendTelemetryData.js";
  const end = '__webpack_exports__ = __webpack_exports__["default"];';
  const source = readFileSync(PACKAGE, "utf8");
  expect(source.split(end)).toHaveLength(2);
  const shown = source.replace(end, `${end} __webpack_exports__.inner = __webpack_require__("${inner}");`);
  const module = { exports: {} as { inner?: { sendTelemetry: SendTelemetry } } };
  const load = runInThisContext(`(module, exports) => {${shown}\n}`) as (to: object, exports: object) => void;
  load(module, module.exports);
  if (!module.exports.inner) throw new Error("The package has no such part.");
  return module.exports.inner.sendTelemetry;
}
