import { makeBackup } from "./backup/make-backup.ts";
import { restoreBackup } from "./backup/restore-backup.ts";
import { UsageError, type Command } from "./command.ts";
import { migrate } from "../migrate.ts";

export const databaseCommands: Readonly<Record<string, Command>> = {
  backup: {
    usage: "FOLDER",
    run: (operator, [folder]) => {
      if (!folder) throw new UsageError();
      return makeBackup(operator, folder);
    },
  },
  restore: {
    usage: "FOLDER_OF_ONE_BACKUP",
    run: (operator, [folder]) => {
      if (!folder) throw new UsageError();
      return restoreBackup(operator, folder);
    },
  },
  migrate: {
    usage: "",
    run: async ({ config, connectionString, ctx }) => {
      await migrate({ config, connectionString, log: ctx.log });
      return "The database is up to date.";
    },
  },
};
