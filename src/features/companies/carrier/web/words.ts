/** Texts of the carrier callback. */
export const callbackWords = {
  title: "UPS connection",
  notYet: "Coming soon: connecting a UPS account",
  text: "Nothing was connected. Once the Tracking Service starts, UPS sends you back here after you sign in there.",
  settings: "Back to Settings",
} as const;
