import type { galleryWords } from "./words.ts";
import { type ComponentType, lazy } from "react";

export type SectionName = Exclude<keyof (typeof galleryWords)["sections"], "kit">;

const check = () => import("./sections/check.tsx");
const companies = () => import("./sections/companies.tsx");
const ends = () => import("./sections/ends.tsx");
const frame = () => import("./sections/frame.tsx");
const history = () => import("./sections/history.tsx");
const notFound = () => import("#web/kit/not-found/page.tsx");
const orders = () => import("./sections/orders.tsx");
const receipt = () => import("./sections/receipt.tsx");
const results = () => import("./sections/results.tsx");
const tracking = () => import("./sections/tracking.tsx");
const typed = () => import("./sections/typed.tsx");
const undo = () => import("./sections/undo.tsx");
const upload = () => import("./sections/upload.tsx");

/** The gallery's sections, each loaded when it is shown. */
export const sections: Record<SectionName, ComponentType> = {
  frame: section(frame, "FrameSection"),
  gates: section(ends, "Gates"),
  fallback: section(ends, "Fallback"),
  "not-found": section(notFound, "NotFoundPage"),
  companies: section(companies, "CompaniesSection"),
  upload: section(upload, "UploadSection"),
  steps: section(upload, "StepsSection"),
  results: section(results, "ResultsSection"),
  lists: section(results, "ListsSection"),
  check: section(check, "CheckSection"),
  receipt: section(receipt, "ReceiptSection"),
  typed: section(typed, "TypedSection"),
  orders: section(orders, "OrdersSection"),
  "orders-worked": section(orders, "WorkedOrdersSection"),
  history: section(history, "HistorySection"),
  "undo-void": section(history, "VoidAsked"),
  tracking: section(tracking, "TrackingSection"),
  "tracking-off": section(tracking, "TrackingOffSection"),
  "tracked-invoice": section(tracking, "TrackedInvoiceSection"),
  dialog: section(ends, "DialogSection"),
  "undo-loading": section(undo, "UndoLoading"),
  "undo-failed": section(undo, "UndoFailed"),
  "undo-asked": section(undo, "UndoAsked"),
  "undo-nothing": section(undo, "UndoNothing"),
  "undo-working": section(undo, "UndoWorking"),
  "undo-paused": section(undo, "UndoPaused"),
  "undo-again": section(undo, "UndoAgain"),
};

function section<N extends string>(load: () => Promise<{ [K in N]: ComponentType }>, name: N): ComponentType {
  return lazy(async () => {
    const part: ComponentType = (await load())[name];
    return { default: part };
  });
}
