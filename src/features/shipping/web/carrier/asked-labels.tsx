import { answerShipment, type OpenOrder } from "#features/shipping/contract.ts";
import { useCarrier } from "#features/shipping/web/carrier/carrier-context.ts";
import { refreshOrders } from "#features/shipping/web/shipment/queries.ts";
import { StrangerQuestion, type StrangerAnswer } from "#features/shipping/web/carrier/stranger-question.tsx";
import { orderWords } from "#features/shipping/web/carrier/words.ts";
import { askedWords as words, strangerWords } from "#features/shipping/web/carrier/words-rare.ts";
import { ShipmentNumber } from "#features/shipping/web/shipment/shipment-number.tsx";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { ErrorBlock } from "#web/kit/error-block.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { takeFocus } from "#web/kit/focus.ts";
import { Notice } from "#web/kit/notice.tsx";
import { Question } from "#web/kit/dialog.tsx";
import { Hint } from "#web/kit/settings-group.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";

type Answer =
  | { answer: "create_again" | "not_ours" | "void_theirs" }
  | { answer: "tracking_number"; tracking_number: string };
const row = { display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, mt: 1 } as const;

/** Labels that UPS never answered about: only a user can find out whether they exist. */
export function AskedLabels({ order }: { order: OpenOrder }) {
  const { realmId } = useCarrier();
  const queries = useQueryClient();
  const [isTyping, setTyping] = useState(false);
  const [isVoiding, setVoiding] = useState(false);
  const po = order.po_number;
  const send = (answer: Answer) =>
    call(answerShipment, { body: { id: order.labels?.id ?? "", ...answer }, realmId });
  const refresh = () => refreshOrders(queries, realmId);
  const { mutate, isPending, variables, error } = useMutation({ mutationFn: send, onSuccess: refresh });
  const theirs = order.labels?.theirs ?? null;
  if (theirs)
    return (
      <>
        <StrangerQuestion
          order={order}
          theirs={theirs}
          busy={isPending ? toStrangerAnswer(variables) : null}
          onAnswer={(answer) => {
            if (answer === "void_theirs") setVoiding(true);
            else if (answer === "use") mutate({ answer: "tracking_number", tracking_number: theirs.number });
            else mutate({ answer });
          }}
        />
        <FailedCall title={null} error={isPending ? null : error} />
        {isVoiding ? (
          <Question
            title={strangerWords.void.title}
            keep={strangerWords.void.keep}
            confirm={strangerWords.void.confirm}
            change={() => send({ answer: "void_theirs" }).then(refresh)}
            done={strangerWords.void.done}
            changed={[]}
            onClose={() => setVoiding(false)}
          >
            <p>
              <ShipmentNumber of={theirs.number} />. {strangerWords.void.text}
            </p>
          </Question>
        ) : null}
      </>
    );
  return (
    <Notice tone="amber" role="group" title={words.asked}>
      <p>{order.labels?.error || words.askedText}</p>
      {isTyping ? (
        <NumberForm
          po={po}
          isBusy={isPending}
          onBack={() => setTyping(false)}
          onSave={(number) => mutate({ answer: "tracking_number", tracking_number: number })}
        />
      ) : (
        <Box sx={row}>
          <BusyButton
            size="small"
            label={words.createAgain}
            detail={orderWords.forPo(po)}
            isBusy={isPending && variables.answer === "create_again"}
            onClick={() => mutate({ answer: "create_again" })}
          />
          <BusyButton
            size="small"
            label={words.enterNumber}
            detail={orderWords.ofPo(po)}
            isBusy={false}
            onClick={() => setTyping(true)}
          />
        </Box>
      )}
      <FailedCall title={null} error={isPending ? null : error} />
    </Notice>
  );
}

const toStrangerAnswer = ({ answer }: Answer): StrangerAnswer => (answer === "not_ours" ? answer : "use");

type FormProps = { po: string; isBusy: boolean; onBack: () => void; onSave: (number: string) => void };

function NumberForm({ po, isBusy, onBack, onSave }: FormProps) {
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const hint = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const number = typed.replaceAll(/\s/g, "").toUpperCase();
    const isNumber = /^1Z[0-9A-Z]{16}$/.test(number);
    setWrong(!isNumber);
    if (isNumber && !isBusy) onSave(number);
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ mt: 1 }}>
      <TextInput
        ref={takeFocus}
        label={words.number}
        value={typed}
        autoComplete="off"
        maxLength={30}
        aria-invalid={isWrong}
        aria-describedby={hint}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Hint id={hint}>{words.numberHint}</Hint>
      <ErrorBlock title={null} message={isWrong ? words.numberWrong : null} />
      <Box sx={row}>
        <BusyButton
          type="submit"
          size="small"
          label={words.save}
          detail={orderWords.forPo(po)}
          isBusy={isBusy}
        />
        <BusyButton variant="text" size="small" label={words.back} isBusy={false} onClick={onBack} />
      </Box>
    </Box>
  );
}
