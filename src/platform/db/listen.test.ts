import { expect, onTestFinished, test } from "vitest";
import { listen } from "#platform/db/listen.ts";
import { createLog } from "#platform/log.ts";
import { createTestDatabase } from "../../../test/support/database.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";

test("a listening connection that is being closed is asked nothing more, however long that takes", async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const clock = steppedClock();
  const log = createLog("silent", { write: () => undefined });
  const close = await listen(url, { channel: "changes", log, clock }, () => undefined);
  const closed = close();
  for (let minute = 0; minute < 10; minute += 1) {
    clock.advance(60_000);
    await Promise.resolve();
  }
  await closed;
  expect(warnings).toEqual([]);
});
