import { chooseMatch, type MatchQuestion } from "#features/order-invoices/contract.ts";
import { money } from "#features/order-invoices/web/format.ts";
import { matchesQuery, threadsKey } from "#features/order-invoices/web/queries.ts";
import { threadWords } from "#features/order-invoices/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { ComboField, type ComboOption } from "#web/kit/combo-field.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { useSearch } from "#web/kit/use-search.ts";
import Box from "@mui/material/Box";
import { styled } from "@mui/material/styles";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

const words = threadWords.questions;

/** The row of the review's questions would bring their code into this page's, and this page's into the review. */
const Row = styled("div")(({ theme }) => ({
  display: "grid",
  gridTemplateColumns: "minmax(0, 1fr) minmax(0, 20rem) minmax(0, 10rem) auto",
  columnGap: 16,
  rowGap: 8,
  alignItems: "center",
  padding: "8px 0 8px 12px",
  borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}`,
  "&:first-of-type": { borderTop: `1px solid ${(theme.vars ?? theme).palette.line.strong}` },
  boxShadow: `inset 3px 0 ${(theme.vars ?? theme).palette.status.amber.rule}`,
  overflowWrap: "anywhere",
  "& small": { fontSize: "0.8125rem", color: (theme.vars ?? theme).palette.text.secondary },
  "& .what": { display: "grid", gridTemplateColumns: "4.5rem minmax(0, 1fr)", alignItems: "baseline" },
  "& .what > strong ~ small": { gridColumn: 2 },
  "& > .below": { gridColumn: "1 / -1" },
  [theme.breakpoints.down("md")]: {
    gridTemplateColumns: "minmax(0, 1fr) auto",
    "& > .what, & > .effect": { gridColumn: "1 / -1" },
    "& > .effect": { gridRow: 2 },
  },
}));

type Props = { realmId: string; questions: readonly MatchQuestion[] };

/** Names of the retailer that nothing in the books has; each is asked once. */
export function MatchQuestions({ realmId, questions }: Props) {
  if (questions.length === 0) return null;
  return (
    <Box component="section" aria-label={words.title} sx={{ mt: 3 }}>
      <Box component="h2" sx={{ m: 0, mb: 1 }}>
        {words.title}
      </Box>
      {questions.map((question) => (
        <Question
          key={`${question.partner} ${question.kind} ${question.written}`}
          realmId={realmId}
          question={question}
        />
      ))}
    </Box>
  );
}

function Question({ realmId, question }: { realmId: string; question: MatchQuestion }) {
  const { partner, kind, written, description, suggestions, orders, amount } = question;
  const name = written || description;
  const announce = useAnnounce();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ComboOption | null>(() => toOptions(suggestions)[0] ?? null);
  const [isTyping, setTyping] = useState(false);
  const [typed, setTyped, text] = useSearch();
  const isSearching = isTyping || suggestions.length === 0;
  const { data } = useQuery({
    ...matchesQuery(realmId, kind, isTyping ? text : ""),
    enabled: isSearching,
  });
  const options = isSearching ? toOptions(data?.entries ?? []) : toOptions(suggestions);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (target: string) =>
      call(chooseMatch, { body: { partner, kind, written, target_id: target }, realmId }),
    onSuccess: async ({ name: entry }) => {
      announce(words.chosen(name, entry));
      await queries.invalidateQueries({ queryKey: threadsKey(realmId) });
    },
  });
  return (
    <Row>
      <div className="what">
        <small>{words.kinds[kind]}</small>
        <strong>{words.quoted(name)}</strong>
        {written && description ? <small>{description}</small> : null}
      </div>
      <div>
        <ComboField
          label={words.label(kind, name)}
          placeholder={words.search(kind)}
          text={isTyping ? typed : (chosen?.label ?? "")}
          options={options}
          empty={isTyping && text !== "" && data?.entries.length === 0 ? words.noHit : null}
          onType={(next) => {
            setTyping(true);
            setTyped(next);
          }}
          onChoose={(option) => {
            setTyping(false);
            setChosen(option);
          }}
          onBlur={() => setTyping(false)}
        />
      </div>
      <small className="effect">{words.effect(orders, money(amount))}</small>
      <BusyButton
        label={words.use}
        detail={words.forName(name)}
        disabled={chosen === null || isTyping}
        isBusy={isPending}
        onClick={() => chosen && mutate(chosen.value)}
      />
      {error ? (
        <div className="below">
          <FailedCall error={error} />
        </div>
      ) : null}
    </Row>
  );
}

const toOptions = (entries: readonly { id: string; name: string }[]): ComboOption[] =>
  entries.map(({ id, name }) => ({ value: id, label: name }));
