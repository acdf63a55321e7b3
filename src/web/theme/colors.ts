/** A pair of a row's fill and the text on it; at least 7:1 in light and 9:1 in dark. */
export type StatusColor = { fill: string; text: string };
export type Tone = "grey" | "red" | "amber" | "blue" | "green";
export type StatusPalette = Record<Tone, StatusColor>;

const green = { main: "#198754", dark: "#13653f", contrastText: "#fff" };
const cancel = { light: "#616161", main: "#424242", dark: "#212121", contrastText: "#fff" };
const orange = { light: "#f37a30", main: "#f2682c", dark: "rgba(242, 104, 44, 0.5)" };

const lightStatus: StatusPalette = {
  grey: { fill: "#e9ecef", text: "#212529" },
  red: { fill: "#f8d7da", text: "#58151c" },
  amber: { fill: "#fff3cd", text: "#664d03" },
  blue: { fill: "#cff4fc", text: "#055160" },
  green: { fill: "#d1e7dd", text: "#0a3622" },
};

const darkStatus: StatusPalette = {
  grey: { fill: "#2b2f33", text: "#dee2e6" },
  red: { fill: "#3a1518", text: "#f5b5bb" },
  amber: { fill: "#3a2e0a", text: "#ffe08a" },
  blue: { fill: "#0b2f38", text: "#9eeaf9" },
  green: { fill: "#10281c", text: "#a3cfbb" },
};

/**
 * The specified colours, and the tones derived from them where they cannot carry text: `ink` is orange as text,
 * `hover` and `press` are fills under a large bold label, `ink` of secondary is green as text.
 */
export const lightPalette = {
  primary: { ...orange, contrastText: "#fff", ink: "#b9420f", hover: "#d9531a", press: "#c74a14" },
  secondary: { ...green, ink: "#13653f" },
  cancel,
  status: lightStatus,
  background: { default: "#f5f5f5", paper: "#fff" },
  text: { primary: "#212121", secondary: "#555" },
  divider: "rgba(0, 0, 0, 0.12)",
};

export const darkPalette = {
  primary: { ...orange, contrastText: "#212121", ink: "#ff9a6b", hover: "#f79766", press: "#f9a981" },
  secondary: { ...green, ink: "#4cbb85" },
  cancel,
  status: darkStatus,
  background: { default: "#121212", paper: "#1c1c1e" },
  text: { primary: "#ececec", secondary: "#b8b8b8" },
  divider: "rgba(255, 255, 255, 0.12)",
};
