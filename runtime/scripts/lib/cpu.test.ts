import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { childCpuSeconds } from "./cpu.mjs";

test.runIf(process.platform === "linux")(
  "processor time of ended child processes is counted in seconds",
  () => {
    const before = childCpuSeconds();
    spawnSync(process.execPath, ["-e", "const end = Date.now() + 300; while (Date.now() < end);"]);
    const used = Number(childCpuSeconds()) - Number(before);
    expect(used).toBeGreaterThan(0.02);
    expect(used).toBeLessThan(60);
  },
);
