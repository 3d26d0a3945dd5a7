/** Columns and rows of the windows that every screen must fit: one as it opens, a large one, and the corner of a screen. */
export const windowSizes = [
  [80, 24],
  [120, 40],
  [40, 12],
] as const;

/** Two more, for tests that draw without a process: half of a window, and the whole of a wide screen. */
export const allWindowSizes = [...windowSizes, [60, 20], [200, 60]] as const;

/** From the smallest corner to a whole wide screen, for every screen in the pseudo-terminal; the last one is the size that a test goes on in. */
export const everyWindowSize = [
  [40, 12],
  [80, 24],
  [120, 40],
  [200, 50],
  [100, 30],
] as const;
