import { styled } from "@mui/material/styles";

/** What else can be done, one below the other between hairlines: buttons of the look `text`, each with its icon. */
export const ActionList = styled("div")(({ theme }) => ({
  display: "flex",
  flexDirection: "column",
  "& > *": { borderBottom: `1px solid ${(theme.vars ?? theme).palette.divider}` },
  "& > *:last-child": { borderBottom: 0 },
  "& .MuiButton-root": {
    justifyContent: "flex-start",
    width: "100%",
    minHeight: 44,
    paddingInline: 4,
    borderRadius: 0,
    color: (theme.vars ?? theme).palette.text.primary,
    fontWeight: 400,
  },
  "& .MuiButton-startIcon": {
    marginLeft: 0,
    marginRight: 12,
    color: (theme.vars ?? theme).palette.text.secondary,
  },
}));
