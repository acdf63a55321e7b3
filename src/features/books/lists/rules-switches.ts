import type { OtherField } from "#features/books/contract.ts";

/** Switches of a company without which QuickBooks drops fields of an invoice and says nothing. */
const SWITCHES = {
  AllowShipping: ["ship_via", "ship_date", "tracking_no"],
  AllowServiceDate: ["service_date"],
  ClassTrackingPerTxnLine: ["class"],
  TrackDepartments: ["location"],
} as const satisfies Record<string, readonly OtherField[]>;

type Switches = { [Name in keyof typeof SWITCHES]?: boolean | undefined };

/** Fields that QuickBooks will drop. A switch that a company never touched is absent. */
export const droppedFields = (preferences: Switches): OtherField[] =>
  Object.entries(SWITCHES).flatMap(([name, fields]) =>
    preferences[name as keyof Switches] === false ? fields : [],
  );
