/** Texts of the bars of days. */
export const dayWords = { day: "Day", today: "Today" } as const;
