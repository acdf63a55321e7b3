/** Space at the sides of the bar, the notice and the footer: what they hold stands above one another and above the page. */
export const inset = { px: { xs: 2, sm: "max(24px, calc(50% - 576px))" } } as const;
