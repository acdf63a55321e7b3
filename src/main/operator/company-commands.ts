import { open, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import {
  changeService,
  disconnectCompany,
  findCompany,
  listConnectedCompanies,
} from "#features/companies/index.ts";
import * as contract from "#features/companies/contract.ts";
import { openReads } from "#platform/db/replica.ts";
import { notFound } from "#platform/errors.ts";
import { deleteCompany } from "../company-data/delete-company.ts";
import { exportCompany } from "../company-data/export-company.ts";
import { requireObjects } from "./backup/require-objects.ts";
import { auditedBy, OperatorError, printTable, UsageError, type Command, type Operator } from "./command.ts";

const SERVICE = contract.SERVICES.join("|");

export const companyCommands: Readonly<Record<string, Command>> = {
  "company list": { usage: "", run: listAll },
  "company disconnect": {
    usage: "REALM_ID --reason TEXT",
    run: (operator, [realmId], { reason }) => {
      if (!realmId || !reason) throw new UsageError();
      return disconnect(operator, realmId, reason);
    },
  },
  "company export": {
    usage: "REALM_ID FILE",
    run: (operator, [realmId, file]) => {
      if (!realmId || !file) throw new UsageError();
      return exportToFile(operator, realmId, file);
    },
  },
  "company delete": {
    usage: "REALM_ID [--name COMPANY_NAME]",
    run: (operator, [realmId], { name }) => {
      if (!realmId) throw new UsageError();
      return deleteCompany(operator, realmId, name);
    },
  },
  "service grant": {
    usage: `REALM_ID ${SERVICE} --reason TEXT [--until 2027-01-31T00:00:00Z]`,
    run: (operator, [realmId, service], options) =>
      setService(operator, { ...options, realm_id: realmId, service, state: "active" }),
  },
  "service end": {
    usage: `REALM_ID ${SERVICE} --reason TEXT`,
    run: (operator, [realmId, service], options) =>
      setService(operator, { ...options, realm_id: realmId, service, state: "ended" }),
  },
};

async function listAll({ ctx }: Operator): Promise<string> {
  const companies = await listConnectedCompanies(ctx.db, ctx.clock.now());
  return printTable(
    ["company", "name", "admin", "QuickBooks", "users", "services"],
    companies.map(({ realmId, name, adminEmail, connection, users, services }) => [
      realmId,
      name,
      adminEmail ?? "",
      connection.replaceAll("_", " "),
      String(users),
      services.join(" "),
    ]),
  );
}

/** Ends our access to a company's books and its subscriptions, as its admin can in Settings. */
async function disconnect(operator: Operator, realmId: string, reason: string): Promise<string> {
  const { config, ctx } = operator;
  const company = await findCompany(ctx.db, realmId);
  if (!company) throw notFound("There is no company with this ID.");
  // The other commands need a small part of the product, and start sooner without the rest.
  const [{ createApplication }, { openSealingKeys }] = await Promise.all([
    import("../application.ts"),
    import("../sealing-keys.ts"),
  ]);
  const sealingKeys = await openSealingKeys(config, ctx.db);
  const { connect } = await createApplication({ config, ctx, sealingKeys });
  const { waitingUploads } = await disconnectCompany(
    { ...connect, ...auditedBy(operator, realmId) },
    company,
    { keptBy: null, reason },
  );
  return `${company.name} is disconnected. Uploads that wait for it to be connected again: ${waitingUploads}.`;
}

/** Writes all data of a company to a new file. The export itself is audited, so its entry is in the exported trail. */
async function exportToFile(operator: Operator, realmId: string, file: string): Promise<string> {
  const { config, connectionString, ctx } = operator;
  const company = await findCompany(ctx.db, realmId);
  if (!company) throw notFound("There is no company with this ID.");
  const objects = await requireObjects(operator);
  const target = await open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      error.code === "EEXIST" ? `${file} already exists.` : `${file} can't be written: ${error.message}.`,
    );
  });
  let files = 0;
  const longReads = openReads(config.replicaUrl, ctx);
  try {
    await auditedBy(operator, realmId).audit(ctx.db, {
      action: "companies.export",
      ids: { company: realmId },
    });
    const archive = exportCompany(
      { config, connectionString, longReads, ctx, objects },
      { id: realmId, name: company.name },
      () => (files += 1),
    );
    await pipeline(archive, target.createWriteStream({ flush: true }));
  } catch (error) {
    await target.close();
    await rm(file, { force: true });
    throw error;
  } finally {
    await longReads.close();
  }
  const { size } = await stat(file);
  return `Exported ${company.name} to ${file}: ${files} files, ${Math.ceil(size / 1e6)} MB.`;
}

async function setService(operator: Operator, asked: Record<string, unknown>): Promise<string> {
  const change = z.safeParse(contract.changeService.body, asked);
  if (!change.success)
    throw new UsageError(
      change.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n"),
    );
  const { realm_id: realmId, service, state, until } = change.data;
  await changeService(auditedBy(operator, realmId), change.data);
  return `${service} of ${realmId} is ${state}${until === null ? "" : ` until ${until}`}.`;
}
