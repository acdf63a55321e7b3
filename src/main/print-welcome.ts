import type { Config } from "#platform/config/read-config.ts";

/** Users of the simulated Intuit, and what each one demonstrates. */
const DEMO_PEOPLE = [
  ["Olive Owner", "two companies, admin of Acme Tools"],
  ["Carl Clerk", "member of Acme Tools"],
  ["Lara Labels", "labels only"],
  ["Pia Platform", "everything, Admin too"],
  ["Paul Plain", "no group"],
  ["Nia New", "no company yet: connect one"],
] as const;

/** Prints the product's address and, with simulators, the demo users. */
export function printWelcome(config: Config): void {
  const isWeb = config.roles.includes("web");
  const lines = [`\n${config.product} is running: ${isWeb ? config.publicUrl : "a worker, without a page"}`];
  if (isWeb && config.simulators) {
    lines.push(
      "",
      "Intuit is simulated; its books are at " + `http://localhost:${config.simulators.intuitPort}`,
      `Mail stays on this machine: http://localhost:${config.simulators.intuitPort}/mail`,
      "Sign in as:",
    );
    lines.push(...DEMO_PEOPLE.map(([name, about]) => `  ${name.padEnd(14)} ${about}`));
  }
  lines.push("", "Stop with Ctrl-C.", "");
  process.stdout.write(lines.join("\n"));
}
