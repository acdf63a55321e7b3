import type { Config } from "#platform/config/read-config.ts";

/** People of the simulated Intuit one can sign in as, and what each shows. */
const DEMO_PEOPLE = [
  ["Olive Owner", "two companies, admin of Acme Tools"],
  ["Carl Clerk", "member of Acme Tools"],
  ["Lara Labels", "labels only"],
  ["Pia Platform", "everything, Admin too"],
  ["Paul Plain", "no group"],
  ["Nia New", "no company yet: connect one"],
] as const;

/** Says where the product is and, with the simulators, who one can be there. */
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
