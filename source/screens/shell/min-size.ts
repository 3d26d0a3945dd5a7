/** The smallest window that a screen can be read in. */
export const minSize = { columns: 40, rows: 10 } as const;
