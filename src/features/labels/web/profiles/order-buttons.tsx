import { profileWords as words } from "#features/labels/web/profiles/words.ts";
import { Icon } from "#web/kit/icon.tsx";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Trash2 } from "lucide-react";

type Props = {
  /** Which one it is, as it is read out behind each button. */
  of: string;
  /** Along which its neighbors are. */
  direction: "down" | "right";
  canMove: { back: boolean; on: boolean };
  onMove: (by: -1 | 1) => void;
  /** Left out for what has to be there. */
  onRemove?: (() => void) | undefined;
};

const LOOKS = {
  down: { back: [ArrowUp, words.moveUp], on: [ArrowDown, words.moveDown] },
  right: { back: [ArrowLeft, words.moveLeft], on: [ArrowRight, words.moveRight] },
} as const;

/** Moves one of several to another place, or removes it. */
export function OrderButtons({ of, direction, canMove, onMove, onRemove }: Props) {
  const { back, on } = LOOKS[direction];
  return (
    <Box sx={{ display: "inline-flex", gap: 0.5, ml: 1, verticalAlign: "middle" }}>
      {canMove.back || canMove.on ? (
        <>
          <PictureButton
            picture={back[0]}
            label={back[1](of)}
            disabled={!canMove.back}
            onClick={() => onMove(-1)}
          />
          <PictureButton picture={on[0]} label={on[1](of)} disabled={!canMove.on} onClick={() => onMove(1)} />
        </>
      ) : null}
      {onRemove ? <PictureButton picture={Trash2} label={words.removeOf(of)} onClick={onRemove} /> : null}
    </Box>
  );
}

type ButtonProps = { picture: typeof ArrowUp; label: string; disabled?: boolean; onClick: () => void };

/** At the end of its way it keeps the keyboard, and does nothing. */
const PictureButton = ({ picture, label, disabled = false, onClick }: ButtonProps) => (
  <Button
    variant="text"
    size="small"
    aria-label={label}
    title={label}
    aria-disabled={disabled}
    onClick={() => (disabled ? undefined : onClick())}
    sx={{ minWidth: 0, px: 1, ...(disabled ? { opacity: 0.4, cursor: "default" } : {}) }}
  >
    <Icon of={picture} size="small" />
  </Button>
);
