import { applyUserCommand, listUsers } from "#features/identity/index.ts";
import { auditedBy, printTable, UsageError, type Command } from "./command.ts";

const REPORTS = { "sign-out": "was signed out", block: "is blocked", unblock: "can sign in again" };

export const userCommands: Readonly<Record<string, Command>> = {
  "user list": { usage: "", run: ({ ctx }) => listAll(ctx) },
  "user sign-out": changeUser("sign-out"),
  "user block": changeUser("block"),
  "user unblock": changeUser("unblock"),
};

async function listAll({ db }: Parameters<Command["run"]>[0]["ctx"]): Promise<string> {
  const users = await listUsers(db);
  return printTable(
    ["email", "name", "groups", "companies", "last seen", "state"],
    users.map(({ email, firstName, lastName, groups, companies, lastSeenAt, blockedAt }) => [
      email,
      `${firstName} ${lastName}`.trim(),
      groups.join(" "),
      String(companies),
      lastSeenAt?.toISOString() ?? "",
      blockedAt === null ? "" : "blocked",
    ]),
  );
}

function changeUser(command: keyof typeof REPORTS): Command {
  return {
    usage: "EMAIL",
    run: async (operator, [email]) => {
      if (!email) throw new UsageError();
      const count = await applyUserCommand(auditedBy(operator, null), command, { email, by: null });
      const devices = command === "unblock" ? "" : ` Devices signed out: ${count}.`;
      return `${email} ${REPORTS[command]}.${devices}`;
    },
  };
}
