import { type HeadProps, RowHead } from "#web/kit/row-head.tsx";
import Box from "@mui/material/Box";
import { type ReactNode, type Ref, useId } from "react";

type Props = HeadProps & {
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  ref?: Ref<HTMLButtonElement>;
  /** Stands above the content, also while that is closed. */
  notices?: ReactNode;
  children: ReactNode;
};

/** Settings of a page at its end, as a row that opens in place. */
export function SettingsPart({ isOpen, onToggle, ref, notices, children, ...head }: Props) {
  const id = useId();
  return (
    <Box
      component="section"
      aria-labelledby={`${id}-title`}
      data-print="never"
      sx={{
        mt: { xs: 5, sm: 6 },
        border: "solid",
        borderWidth: "1px 0",
        borderTopColor: "line.strong",
        borderBottomColor: "divider",
      }}
    >
      <RowHead {...head} id={id} as="div" isOpen={isOpen} onToggle={() => onToggle(!isOpen)} ref={ref} />
      {notices}
      <Box id={id} hidden={!isOpen} sx={{ pt: 0.5, pb: 3.5 }}>
        {isOpen ? children : null}
      </Box>
    </Box>
  );
}
