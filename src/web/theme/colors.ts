/**
 * Colors of one state. `text` on `fill` is a chip, at least 7:1 in light and 9:1 in dark; `ink` on `tint` is
 * a row or a notice, at least 4.5:1; `rule` is the bar at its left edge, at least 3:1 against the page.
 */
export type StatusColor = { fill: string; text: string; rule: string; tint: string; ink: string };
export type Tone = "gray" | "red" | "amber" | "blue" | "green";
export type StatusPalette = Record<Tone, StatusColor>;

const green = { main: "#198754", dark: "#13653f", contrastText: "#fff" };
const cancel = { light: "#616161", main: "#424242", dark: "#212121", contrastText: "#fff" };

/**
 * The specified orange, and fills for hover and press that are readable below a large bold label in both
 * schemes.
 */
const orange = {
  light: "#f37a30",
  main: "#f2682c",
  dark: "rgba(242, 104, 44, 0.5)",
  contrastText: "#fff",
  hover: "#d9531a",
  press: "#c74a14",
};

const lightStatus: StatusPalette = {
  gray: { fill: "#e9ecef", text: "#212529", rule: "#868e96", tint: "#f3f4f5", ink: "#565452" },
  red: { fill: "#f8d7da", text: "#58151c", rule: "#c8324a", tint: "#fdf2f3", ink: "#a11d2f" },
  amber: { fill: "#fff3cd", text: "#664d03", rule: "#b48200", tint: "#fffaeb", ink: "#7a5600" },
  blue: { fill: "#cff4fc", text: "#055160", rule: "#2391a8", tint: "#eefafd", ink: "#055160" },
  green: { fill: "#d1e7dd", text: "#0a3622", rule: "#198754", tint: "#eff7f2", ink: "#13653f" },
};

const darkStatus: StatusPalette = {
  gray: { fill: "#2b2f33", text: "#dee2e6", rule: "#7b838b", tint: "#191b1d", ink: "#b8b5b2" },
  red: { fill: "#3a1518", text: "#f5b5bb", rule: "#e0596d", tint: "#1f1415", ink: "#f5a3ab" },
  amber: { fill: "#3a2e0a", text: "#ffe08a", rule: "#d9a514", tint: "#1e1a0f", ink: "#f2cf6b" },
  blue: { fill: "#0b2f38", text: "#9eeaf9", rule: "#3fa9c0", tint: "#0f1b1f", ink: "#9eeaf9" },
  green: { fill: "#10281c", text: "#a3cfbb", rule: "#4cbb85", tint: "#111b16", ink: "#7fd0a6" },
};

/**
 * The specified colors, and tones derived from them if they can't be used for text: `ink` of primary is
 * orange as text, `ink` of secondary is green as text. `sunken` is the background of empty areas, `raised` of
 * layers above the page; `divider` and `strong` lines are decoration, `control` is the border of controls.
 */
export const lightPalette = {
  primary: { ...orange, ink: "#b9420f" },
  secondary: { ...green, ink: "#13653f" },
  cancel,
  status: lightStatus,
  background: { default: "#fff", paper: "#fff", raised: "#fff", sunken: "#f8f7f5", hover: "#faf9f7" },
  text: { primary: "#212121", secondary: "#565452", caption: "#6a6764" },
  divider: "#e7e5e2",
  line: { strong: "#cfccc8", control: "#85817d" },
};

export const darkPalette = {
  primary: { ...orange, ink: "#ff9a6b" },
  secondary: { ...green, ink: "#4cbb85" },
  cancel,
  status: darkStatus,
  background: {
    default: "#121212",
    paper: "#121212",
    raised: "#1b1a1a",
    sunken: "#191818",
    hover: "#1a1919",
  },
  text: { primary: "#efeeec", secondary: "#b8b5b2", caption: "#9d9a97" },
  divider: "#2a2928",
  line: { strong: "#403e3c", control: "#83807c" },
};
