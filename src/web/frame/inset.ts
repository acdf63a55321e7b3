/** Space at the sides of the bar, the notice and the footer: their contents line up with one another and with the page. */
export const inset = { px: { xs: 2, sm: "max(24px, calc(50% - 576px))" } } as const;

/** Height of the top bar in px, its lower line included. */
export const BAR_HEIGHT = 57;
