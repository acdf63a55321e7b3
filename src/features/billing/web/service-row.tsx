import type { SubscriptionRow } from "#features/billing/contract.ts";
import { chooseActions, dateWord, isComingSoon, statusWord } from "#features/billing/web/rules.ts";
import { serviceWords as words } from "#features/billing/web/words.ts";
import { BusyButton } from "#web/kit/busy-button.tsx";
import { Chip } from "#web/kit/chip.tsx";
import { formatDollars } from "#web/kit/format.ts";
import { Notice } from "#web/kit/notice.tsx";
import type { Tone } from "#web/theme/colors.ts";
import Box from "@mui/material/Box";
import { Check } from "lucide-react";
import type { ReactNode } from "react";

/** A service included for everyone. */
export function FreeService({ name, text, price }: { name: string; text: string; price: string }) {
  return (
    <Frame>
      <Described name={name} text={text} />
      <b>{price}</b>
    </Frame>
  );
}

type Props = {
  row: SubscriptionRow;
  /** A payment is open below, with its own buttons. */
  isOpen: boolean;
  isPayer: boolean;
  isStarting: boolean;
  isLeaving: boolean;
  onManage: () => void;
  onStart: (isTrial: boolean) => void;
  children: ReactNode;
};

/** A paid service with its state, its price, and its next action. */
export function ServiceRow(props: Props) {
  const { row, isOpen, isPayer, children } = props;
  return (
    <Frame
      below={
        <Below row={row} isPayer={isPayer}>
          {children}
        </Below>
      }
    >
      <Described name={row.product_name} text={row.product_description} needs={findNeed(row)}>
        <Status row={row} />
      </Described>
      <Box sx={{ whiteSpace: "nowrap" }}>
        <b>{formatDollars(row.rate)}</b>
        <Box component="span" sx={{ typography: "caption", color: "text.caption" }}>
          {words.per(row.interval)}
        </Box>
      </Box>
      {isOpen || !isPayer ? null : <Actions {...props} />}
    </Frame>
  );
}

/** Requirement of a service that can be added. */
const findNeed = (row: SubscriptionRow): string | null =>
  chooseActions(row).includes("add") ? words.needs[row.service] : null;

function Actions({ row, isStarting, isLeaving, onManage, onStart }: Props) {
  const actions = chooseActions(row);
  const detail = row.product_name;
  if (isComingSoon(row)) return <Chip tone="plain">{words.soon}</Chip>;
  if (actions.includes("manage"))
    return <BusyButton label={words.manage} detail={detail} isBusy={isLeaving} onClick={onManage} />;
  // Even an empty box would keep its gap, and the price would not be below the others.
  if (actions.length === 0) return null;
  const hasTrial = row.trial_days > 0 && !actions.includes("fix");
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "flex-start", gap: 1.5 }}>
      {hasTrial ? (
        <Offer says={words.thenCosts(formatDollars(row.rate), row.interval, trialEnd(row.trial_days))}>
          <BusyButton
            variant="contained"
            label={words.trial(row.trial_days)}
            isBusy={isStarting}
            onClick={() => onStart(true)}
          />
        </Offer>
      ) : null}
      {actions.includes("add") ? (
        <Offer says={words.dueToday(formatDollars(row.rate))}>
          <BusyButton label={words.add} detail={detail} isBusy={isStarting} onClick={() => onStart(false)} />
        </Offer>
      ) : null}
      {actions.includes("fix") ? (
        <BusyButton
          variant="contained"
          label={words.fix}
          detail={detail}
          isBusy={isStarting}
          onClick={() => onStart(false)}
        />
      ) : null}
    </Box>
  );
}

const DAY_SECONDS = 86_400;

/** @returns seconds since 1970 */
const trialEnd = (days: number) => Date.now() / 1000 + days * DAY_SECONDS;

/** A button with its cost below. */
function Offer({ says, children }: { says: string; children: ReactNode }) {
  return (
    <Box sx={{ display: "grid", justifyItems: "start" }}>
      {children}
      <Box component="span" sx={{ typography: "caption", color: "text.caption" }}>
        {says}
      </Box>
    </Box>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  active: "green",
  trialing: "green",
  canceling: "amber",
  past_due: "amber",
  unpaid: "red",
};

function Status({ row }: { row: SubscriptionRow }) {
  const word = statusWord(row.status);
  const date = dateWord(row);
  if (word === null) return null;
  return (
    <>
      <Chip tone={TONES[row.status] ?? "plain"} {...(row.status === "active" ? { icon: Check } : {})}>
        {word}
      </Chip>
      {date ? <Box sx={{ typography: "caption", color: "text.caption" }}>{date}</Box> : null}
    </>
  );
}

/** Consequence of an unpaid renewal, and the opened part. */
function Below({ row, isPayer, children }: Pick<Props, "row" | "isPayer" | "children">) {
  return (
    <>
      {row.grace_ends === null ? null : (
        <Notice tone="amber" role="group">
          <p>{words.grace(row.product_name, row.grace_ends, isPayer)}</p>
        </Notice>
      )}
      {row.status === "unpaid" || (row.status === "past_due" && row.grace_ends === null) ? (
        <Notice tone="red" role="group">
          <p>{words.off(row.product_name, isPayer)}</p>
        </Notice>
      ) : null}
      {children}
    </>
  );
}

type DescribedProps = { name: string; text: string; needs?: string | null; children?: ReactNode };

function Described({ name, text, needs = null, children }: DescribedProps) {
  return (
    <Box sx={{ flex: "1 1 14rem", minWidth: 0 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.5, rowGap: 0.5 }}>
        <b>{name}</b>
        {children}
      </Box>
      <Box sx={{ typography: "caption", color: "text.caption" }}>{text}</Box>
      {needs === null ? null : <Box sx={{ typography: "caption", color: "text.caption" }}>{needs}</Box>}
    </Box>
  );
}

function Frame({ children, below }: { children: ReactNode; below?: ReactNode }) {
  return (
    <Box component="li" sx={{ py: 2, borderBottom: 1, borderColor: "divider" }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 3, rowGap: 1 }}>
        {children}
      </Box>
      {below}
    </Box>
  );
}
