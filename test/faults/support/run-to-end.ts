import { onTestFinished } from "vitest";
import { spawnProduct, untilClosed, type Identity } from "../../support/run-product.ts";

/** A start of the product that is expected to end by itself; it ends with the test. */
export async function runToEnd(
  env: Record<string, string>,
  identity?: Identity,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = spawnProduct(env, identity);
  onTestFinished(() => void child.kill("SIGKILL"));
  await untilClosed(child);
  return { code: child.exitCode, output: output() };
}
