import { toFurtherVerbMessage } from '../routing/route-problem.ts';
import type { Application } from './application.ts';

/** Says which capabilities do more than the first word of their names says, which decides the route and what agents are told. */
export function warnOfNames(applications: readonly Application[]): void {
  const operations = new Set(applications.flatMap(({ registry }) => registry.operations));
  const messages = new Set([...operations].flatMap((operation) => toFurtherVerbMessage(operation) ?? []));
  for (const message of messages) applications[0]?.logger.warn(`[capix] ${message}`);
}
