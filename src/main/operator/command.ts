import { auditBy, type Audited } from "#features/audit/index.ts";
import type { Config } from "#platform/config/read-config.ts";
import type { Ctx } from "#platform/ctx.ts";

/** Context of every command. */
export type Operator = { config: Config; connectionString: string; ctx: Ctx };

type Options = { reason?: string | undefined; until?: string | undefined; name?: string | undefined };

/** A command of `npm run operate`; its name is one word or two. */
export type Command = {
  /** Arguments and options, as they are typed. */
  usage: string;
  /**
   * @returns the text to print
   * @throws UsageError if the arguments don't fit
   */
  run(operator: Operator, args: readonly string[], options: Options): Promise<string>;
};

/** A refusal shown to the operator who runs the command. */
export class OperatorError extends Error {}

/** The arguments don't fit: all commands are listed, below a reason if there is one. */
export class UsageError extends OperatorError {}

/** A context whose actions are recorded as the operator's, in a company's trail or in that of no company. */
export function auditedBy({ ctx }: Operator, realmId: string | null): Ctx & Audited {
  return {
    ...ctx,
    ...auditBy(ctx, { userId: null, realmId, requestId: `operator ${ctx.ids.uuid()}` }),
  };
}

/** Lines of a table, the first with the names of its columns; parts of a line are separated by tabs. */
export const printTable = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, ...rows].map((row) => row.join("\t")).join("\n");
