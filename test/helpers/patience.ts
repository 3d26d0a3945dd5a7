/** How long a test waits for what comes: only what never comes meets it. A computer with other work has taken 60 seconds for what takes it four. */
export const PATIENCE_MS = 120_000;
