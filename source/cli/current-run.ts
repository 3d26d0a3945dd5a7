/**
 * The record of what `generate-command.ts` tells the entry. Pastel does not give the promise of a command to its
 * caller; there is one run per process, so one record holds it.
 */
export const currentRun: { finished?: Promise<number | undefined> } = {};
