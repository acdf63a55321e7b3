import type { Field } from "#features/invoices/workbook/rules-sheet.ts";

/** Switches of a company without which QuickBooks drops fields of an invoice and says nothing. */
type Switch = "AllowShipping" | "AllowServiceDate" | "ClassTrackingPerTxnLine" | "TrackDepartments";

/** What each switches off, and where its people find it in QuickBooks. */
export const SWITCHES: Record<Switch, { fields: readonly Field[]; are: string; it: string; where: string }> =
  {
    AllowShipping: {
      fields: ["shipVia", "shipDate", "trackingNo"],
      are: "shipping is",
      it: "it",
      where: "Sales",
    },
    AllowServiceDate: { fields: ["serviceDate"], are: "the service date is", it: "it", where: "Sales" },
    ClassTrackingPerTxnLine: {
      fields: ["className"],
      are: "classes on each row are",
      it: "them",
      where: "Advanced",
    },
    TrackDepartments: { fields: ["location"], are: "locations are", it: "them", where: "Advanced" },
  };

/** Fields that QuickBooks will drop. A switch that a company never touched tells nothing. */
export function droppedFields(preferences: { [Name in Switch]?: boolean | undefined }): Field[] {
  return Object.entries(SWITCHES).flatMap(([name, { fields }]) =>
    preferences[name as Switch] === false ? fields : [],
  );
}
