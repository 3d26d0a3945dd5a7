import type { Intent } from '../../capability/intent.ts';
import { matchNameRule } from './match-name-rule.ts';

/**
 * The effective intent of a capability. A name that selects a prefix rule has that rule's intent, whatever was
 * declared; any other name has the declared one; with none declared, `me`, `status`, `health`, `count` and `check`
 * are queries and everything else is a mutation.
 */
export function inferIntent(name: string, explicit?: Intent): Intent {
  return matchNameRule(name, explicit)?.intent ?? explicit ?? (queryNames.has(name) ? 'query' : 'mutation');
}

/**
 * Whether a declared intent says something else than the name does. `mutation` is the general word for all that
 * changes data, so that it fits every rule but the reading ones.
 */
export function contradictsName(name: string, explicit: Intent): boolean {
  const rule = matchNameRule(name, explicit);
  if (rule === undefined || rule.intent === explicit) return false;
  return explicit !== 'mutation' || rule.intent === 'query';
}

const queryNames: ReadonlySet<string> = new Set(['me', 'status', 'health', 'count', 'check']);
