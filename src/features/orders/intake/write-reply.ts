import { faultAt } from "#formats/x12/faults.ts";
import {
  acknowledgeGroup,
  canAcknowledge,
  writeFunctionalAcknowledgment,
  type CheckedSet,
} from "#formats/x12/functional-acknowledgment.ts";
import type { X12Part } from "#formats/x12/read-interchanges.ts";
import { FUNCTIONAL_IDS, type InterchangeHeader } from "#formats/x12/transaction-set.ts";
import { writeInterchange, type Envelope } from "#formats/x12/write-interchange.ts";
import { stampAt } from "#features/orders/notices-out/rules.ts";
import type { OrderDocument } from "#features/orders/types.ts";

/** A set with the documents that were read in it. */
export type AnsweredSet = CheckedSet & { documents: readonly OrderDocument[] };

export type AnsweredGroup = Pick<Extract<X12Part, { kind: "group" }>, "group" | "declared" | "faults"> & {
  sets: readonly AnsweredSet[];
};

/**
 * The functional acknowledgments (997) of an interchange, for its sender. Their number, and what of a group can't be used, are known
 * once its documents are stored.
 */
export type Reply = { envelope: Omit<Envelope, "controlNumber">; groups: readonly AnsweredGroup[] };

/** Acknowledges the groups of an interchange; null if there is nothing to acknowledge. */
export function prepareReply(
  header: InterchangeHeader,
  groups: readonly AnsweredGroup[],
  now: Date,
): Reply | null {
  // An acknowledgment is never acknowledged.
  const answered = groups.filter(({ group }) => group.functionalId !== FUNCTIONAL_IDS["997"]);
  const [first] = answered;
  if (!first || !answered.some(canAcknowledge)) return null;
  return {
    envelope: {
      senderQualifier: header.receiverQualifier,
      sender: header.receiver,
      receiverQualifier: header.senderQualifier,
      receiver: header.sender,
      groupSender: first.group.receiver,
      groupReceiver: first.group.sender,
      version: first.group.isReleaseKnown ? first.group.version : "004010",
      ...stampAt(now, "UTC"),
      isTest: header.isTest,
      wantsAcknowledgment: false,
      delimiters: header.delimiters,
      lineBreak: "\n",
    },
    groups: answered,
  };
}

/**
 * @param controlNumber of the interchange and its group: 1 to 999999999
 * @param refused documents that could be read and can't be used: their sender must not believe that they were taken
 */
export function writeReply(
  { envelope, groups }: Reply,
  controlNumber: number,
  refused: ReadonlySet<OrderDocument> = new Set(),
): Buffer {
  const check = (set: AnsweredSet): CheckedSet =>
    set.faults.length === 0 && set.documents.some((document) => refused.has(document))
      ? { ...set, faults: [faultAt("content_not_usable", { set: set.controlNumber })] }
      : set;
  const bodies = groups.flatMap(
    (group) =>
      acknowledgeGroup({ ...group, sets: group.sets.map(check), delimiters: envelope.delimiters }) ?? [],
  );
  const sets = bodies.map((body, at) => ({
    controlNumber: String(at + 1).padStart(4, "0"),
    body: writeFunctionalAcknowledgment(body),
  }));
  return Buffer.from(writeInterchange({ ...envelope, controlNumber }, [{ controlNumber, sets }]));
}
