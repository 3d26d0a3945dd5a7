import type { Command } from 'commander';

/**
 * The record of what the two stand-ins tell each other and the entry. Pastel gives neither the Commander command to `render` nor the promise of `render`
 * to its caller; there is one run per process, so one record holds both.
 */
export const currentRun: { command?: Command; finished?: Promise<number | undefined> } = {};
