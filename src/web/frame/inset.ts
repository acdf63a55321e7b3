/** Horizontal padding of the bar, the notice and the footer, which aligns them with the page. */
export const inset = { px: { xs: 2, sm: "max(24px, calc(50% - 576px))" } } as const;

/** Height of the top bar in px, including its lower border. */
export const BAR_HEIGHT = 57;
