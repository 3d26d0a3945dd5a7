/** Columns and rows of the windows that every screen must fit: one as it opens, a large one, and the corner of a screen. */
export const windowSizes = [
  [80, 24],
  [120, 40],
  [40, 12],
] as const;
