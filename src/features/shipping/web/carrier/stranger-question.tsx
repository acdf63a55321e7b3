import type { OpenOrder, Stranger } from "#features/shipping/contract.ts";
import { orderWords } from "#features/shipping/web/carrier/words.ts";
import { strangerWords as words } from "#features/shipping/web/carrier/words-rare.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Notice } from "#web/kit/notice.tsx";
import { UpsNumber } from "#web/kit/ups-number.tsx";
import Box from "@mui/material/Box";

export type StrangerAnswer = "use" | "not_ours" | "void_theirs";

type Props = {
  order: OpenOrder;
  theirs: Stranger;
  /** Null while none is sent. */
  busy: StrangerAnswer | null;
  onAnswer: (answer: StrangerAnswer) => void;
};

const sides = { display: "flex", flexWrap: "wrap", gap: 3, my: 1 } as const;
const list = {
  m: 0,
  mt: 0.5,
  "& > div": {
    display: "grid",
    gridTemplateColumns: "80px 1fr",
    alignItems: "baseline",
    columnGap: 1,
    mt: 0.5,
  },
} as const;
const acts = { display: "grid", gap: 1, mt: 1 } as const;
const act = { display: "flex", flexWrap: "wrap", alignItems: "center", gap: "4px 12px" } as const;

/** A shipment at UPS that has the order's PO number and may be its: ours and theirs, side by side. */
export function StrangerQuestion({ order, theirs, busy, onAnswer }: Props) {
  const po = order.po_number;
  const { ship_to: to } = order;
  const cartons = order.labels?.cartons ?? [];
  const ours = {
    consignee: [to.name, ...to.lines, order.place],
    packages: words.cartons(cartons.length),
    weights: words.weights(cartons.map(({ weight }) => String(weight))),
    service: order.service,
    time: words.notBought,
  };
  const others = {
    consignee: theirs.ship_to.length > 0 ? theirs.ship_to : [theirs.place],
    packages: theirs.cartons === null ? "" : words.cartons(theirs.cartons),
    weights: words.weights(theirs.weights),
    service: theirs.service,
    time: theirs.made_at === null ? "" : words.madeAt(theirs.made_at),
  };
  return (
    <Notice tone="amber" role="group" label={words.title} title={words.title}>
      <p>{words.text(po)}</p>
      <Box sx={sides}>
        <Side title={words.ours} facts={ours} differs={[]} />
        <Side
          title={
            <>
              {words.theirs} <UpsNumber of={theirs.number} />
            </>
          }
          facts={others}
          differs={theirs.differs}
        />
      </Box>
      <Box sx={acts}>
        {(["use", "not_ours", "void_theirs"] as const).map((answer) => (
          <Box key={answer} sx={act}>
            <BusyButton
              size="small"
              variant="outlined"
              label={words.answers[answer]}
              detail={orderWords.forPo(po)}
              isBusy={busy === answer}
              onClick={() => onAnswer(answer)}
            />
            <span className="fact">{words.effects[answer]}</span>
          </Box>
        ))}
      </Box>
    </Notice>
  );
}

type Facts = { consignee: readonly string[] } & Record<"packages" | "weights" | "service" | "time", string>;

const FACTS = ["consignee", "packages", "weights", "service", "time"] as const;

function Side({
  title,
  facts,
  differs,
}: {
  title: React.ReactNode;
  facts: Facts;
  differs: Stranger["differs"];
}) {
  return (
    <Box sx={{ flex: "1 1 220px" }}>
      <b>{title}</b>
      <Box component="dl" sx={list}>
        {FACTS.map((fact) => {
          const shown = facts[fact];
          const lines = typeof shown === "string" ? [shown] : shown;
          return (
            <div key={fact}>
              <dt className="fact">{words.facts[fact]}</dt>
              <dd style={{ margin: 0, ...(differs.includes(fact) ? { fontWeight: 700 } : {}) }}>
                {lines.every((line) => line === "") ? words.unknown : lines.join(", ")}
                {differs.includes(fact) ? ` (${words.differs})` : null}
              </dd>
            </div>
          );
        })}
      </Box>
    </Box>
  );
}
