import type { X12Fault } from "#formats/x12/faults.ts";
import { acknowledgeGroup, writeFunctionalAcknowledgment } from "#formats/x12/functional-acknowledgment.ts";
import type { X12Part } from "#formats/x12/read-interchanges.ts";
import { FUNCTIONAL_IDS, type InterchangeHeader, type TransactionSet } from "#formats/x12/transaction-set.ts";
import { writeInterchange, type Envelope, type SetBody } from "#formats/x12/write-interchange.ts";
import { stampAt } from "#features/orders/notices-out/rules.ts";

/** The functional acknowledgments (997) of an interchange, for its sender. Their number is known once they are stored. */
export type Reply = { envelope: Omit<Envelope, "controlNumber">; bodies: readonly SetBody[] };

type Read = {
  sets: readonly { set: TransactionSet; faults: readonly X12Fault[] }[];
  groups: readonly Extract<X12Part, { kind: "group" }>[];
  now: Date;
};

/** Acknowledges the groups of an interchange; null if there is nothing to acknowledge. */
export function prepareReply(header: InterchangeHeader, { sets, groups, now }: Read): Reply | null {
  const { delimiters } = header;
  // An acknowledgment is never acknowledged.
  const answered = groups.filter(({ group }) => group.functionalId !== FUNCTIONAL_IDS["997"]);
  const bodies = answered.flatMap(({ group, declared, faults }) => {
    const answers = sets
      .filter(({ set }) => set.group.controlNumber === group.controlNumber)
      .map(({ set, faults: ofSet }) => ({ type: set.type, controlNumber: set.controlNumber, faults: ofSet }));
    return acknowledgeGroup({ group, declared, sets: answers, faults, delimiters }) ?? [];
  });
  const [first] = answered;
  if (!first || bodies.length === 0) return null;
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
      delimiters,
      lineBreak: "\n",
    },
    bodies: bodies.map(writeFunctionalAcknowledgment),
  };
}

/** @param controlNumber of the interchange and its group: 1 to 999999999 */
export function writeReply({ envelope, bodies }: Reply, controlNumber: number): Buffer {
  const sets = bodies.map((body, at) => ({ controlNumber: String(at + 1).padStart(4, "0"), body }));
  return Buffer.from(writeInterchange({ ...envelope, controlNumber }, [{ controlNumber, sets }]));
}
