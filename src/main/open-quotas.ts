import { measureExports } from "#features/companies/index.ts";
import { measureWorkbooks } from "#features/invoices/index.ts";
import { measureSheets } from "#features/labels/index.ts";
import { measureCarrierLabels } from "#features/shipping/index.ts";
import { measureDocuments } from "#features/orders/index.ts";
import { measureAnswers } from "#features/programs/index.ts";
import { measureProofs } from "#features/tracking/index.ts";
import type { Config } from "#platform/config/read-config.ts";
import type { Ctx } from "#platform/ctx.ts";
import { createQuotas, type Quotas } from "#platform/quotas.ts";

/** Each feature counts what it stores. */
export const openQuotas = ({ storage }: Config, { db }: Ctx): Quotas =>
  createQuotas(db, {
    limits: storage,
    measures: {
      workbooks: measureWorkbooks,
      orders: measureDocuments,
      labels: measureSheets,
      exports: measureExports,
      documents: async (...of) => (await measureCarrierLabels(...of)) + (await measureProofs(...of)),
      answers: measureAnswers,
    },
  });
