import { earliestAt } from "#features/books/rules-match.ts";
import { findHalt, isOutage, isVendorFailure, toEvidence } from "#features/books/rules-faults.ts";
import { SHIPPING_VENDOR } from "#features/books/shipping/rules.ts";
import { isAttachedTo, MAX_FILE_BYTES } from "#integrations/intuit/attach-file.ts";
import type { FileCheck } from "#integrations/intuit/check-attachment.ts";
import type { Books } from "#integrations/intuit/client.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import type { Attachable } from "#integrations/intuit/wire.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Cause, Evidence } from "#platform/writes/evidence.ts";
import type { Item, Operation } from "#platform/writes/operation.ts";
import type { WritePolicy } from "#platform/writes/policy.ts";
import { findClaims, type Write } from "#platform/writes/store.ts";

/** Body of an attachment. Its file is loaded only when it is sent. */
export type ProofToAttach = {
  qboId: string;
  /** Unique among the files of the invoice, since a lost answer is searched for by it. */
  fileName: string;
  /** Bytes. */
  size: number;
  sha256: Uint8Array;
  note: string;
  includeOnSend: boolean;
};

/**
 * Policy of attachments: QuickBooks recognizes no repeated upload, so one with a lost answer is sent again only when
 * searches have not shown it for half an hour, six times as long as for invoices. A proof that is late harms nothing.
 */
export const attachPolicy = (policy: WritePolicy): WritePolicy => ({
  ...policy,
  indexLagMs: policy.indexLagMs * 6,
});

type Attached = { file: Attachable; check: FileCheck; tid: string | null };

/**
 * Attaches PDF files to invoices. Nothing is read before a first call; one with a lost answer is searched for by invoice, file
 * name and size. Refused with the causes `file_too_large` {size, limit}, `deleted`, and `file_altered` {size, stored} for a
 * file that QuickBooks stores differently, else with those of `toEvidence`.
 * @param options.isSearchedFirst whether the file of a planned write may be there already, as in a database that was restored
 */
export function attachProof<Body extends ProofToAttach>(
  books: Books,
  options: {
    db: Db;
    realmId: string;
    loadBodies: Operation<Body, Body, Attached>["loadBodies"];
    loadFile(body: Body): Promise<Uint8Array>;
    isSearchedFirst(write: Write): boolean;
  },
): Operation<Body, Body, Attached> {
  const { db, realmId, loadBodies, loadFile, isSearchedFirst } = options;
  const findFree = async (files: readonly Attachable[]): Promise<Set<Attachable>> => {
    const ids = files.map(({ Id }) => Id);
    const claims = await findClaims(db, { realmId, vendor: SHIPPING_VENDOR }, ids);
    const claimed = new Set(claims.map(({ vendorId }) => vendorId));
    return new Set(files.filter(({ Id }) => !claimed.has(Id)));
  };
  const lookUp = async (items: readonly Item<Body>[]) => {
    const found = new Map<string, Evidence>();
    for (const [qboId, ofInvoice] of Map.groupBy(items, ({ body }) => body.qboId)) {
      const free = await findFree((await books.findAttachments(qboId)).data);
      for (const [part, evidence] of matchFiles(ofInvoice, free)) found.set(part, evidence);
    }
    return found;
  };
  return {
    loadBodies,
    toRequest: ({ body }) => body,
    sendAlone: async (body, call) => {
      const { qboId: invoiceId, fileName, note, includeOnSend } = body;
      const bytes = await loadFile(body);
      const sent = { invoiceId, fileName, contentType: "application/pdf", note, includeOnSend, bytes };
      const { data: file, tid } = await books.attachFile(sent, call);
      return { file, check: await books.checkAttachment(file.TempDownloadUri, body), tid };
    },
    classify: ({ body }, outcome) => {
      if ("error" in outcome) return toRefusal(outcome.error);
      const { file, check, tid } = outcome.ok;
      const stored = file.Size ?? null;
      if (check === "different" || (stored !== null && stored !== body.size))
        return excluded("file_altered", { size: body.size, stored }, tid);
      return { kind: "accepted", answer: { id: file.Id, facts: { check }, tid } };
    },
    lookUp,
    findCreatedSince: async (since) => {
      const { data } = await books.findAttachmentsMadeSince(earliestAt(books, since));
      const free = await findFree(data);
      return free.size === 0 ? [] : [(items) => matchFiles(items, free)];
    },
    checkPlanned: async (items) => {
      const first = items.filter(({ write, body }) => isSearchedFirst(write) && body.size <= MAX_FILE_BYTES);
      const found = await lookUp(first);
      for (const { write, body } of items)
        if (body.size > MAX_FILE_BYTES)
          found.set(write.part, excluded("file_too_large", { size: body.size, limit: MAX_FILE_BYTES }));
      return found;
    },
    findHalt,
    isVendorFailure,
    isOutage,
  };
}

/** Assigns files of the books to writes: each file to one of them, which is removed from `free`. */
function matchFiles(items: readonly Item<ProofToAttach>[], free: Set<Attachable>): Map<string, Evidence> {
  const found = new Map<string, Evidence>();
  for (const { write, body } of items) {
    const file = [...free].find(
      (attached) =>
        attached.FileName === body.fileName &&
        attached.Size === body.size &&
        isAttachedTo(attached, body.qboId),
    );
    if (!file) continue;
    free.delete(file);
    found.set(write.part, { kind: "found", answer: { id: file.Id, facts: {}, tid: null } });
  }
  return found;
}

const excluded = (code: string, params: Cause["params"], tid: string | null = null): Evidence => ({
  kind: "excluded",
  cause: { code, params, tid },
});

/** Intuit refuses a file for a deleted invoice with its general code, so only its words say why. */
function toRefusal(error: unknown): Evidence {
  const evidence = toEvidence(error, []);
  const isGone =
    error instanceof IntuitError &&
    error.faults.some(({ detail }) => /trying to link does not exist/i.test(detail));
  if (evidence.kind !== "refused" || !isGone) return evidence;
  return { kind: "refused", cause: { ...evidence.cause, code: "deleted" } };
}
