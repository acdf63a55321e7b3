import { migrate } from "../migrate.ts";
import type { Command } from "./command.ts";

export const databaseCommands: Readonly<Record<string, Command>> = {
  migrate: {
    usage: "",
    run: async ({ config, connectionString, ctx }) => {
      await migrate({ config, connectionString, log: ctx.log });
      return "The database is up to date.";
    },
  },
};
