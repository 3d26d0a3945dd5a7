import type { Audience, ChangeClass } from './contract-change.ts';

/** A kind of change in a table: its class, the change in a clause, the reason of the class, and whom it concerns. */
export type Row = readonly [class_: ChangeClass, when: string, reason: string, audience?: readonly Audience[]];

export const overHttp = ['http', 'client'] as const;
export const byName = ['client', 'agents'] as const;
