import type { IgnoredChange } from '../contract/apply-settings.ts';
import type { Audience, CapabilityChange, ContractChange, ContractDiff } from '../contract/contract-change.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { countClasses } from './diff-totals.ts';

/**
 * A difference as text, with a line feed at its end and free of escape sequences:
 *
 *     Changed (1)
 *
 *       users.updateUser  PATCH /users/:id
 *         breaking  `email` became required: callers that leave it out are refused (HTTP callers, typed client, agents)
 *
 *     1 breaking, 0 risky, 0 safe
 */
export function toDiffText(diff: ContractDiff, ignored: readonly IgnoredChange[] = []): string {
  const sections = [
    toSection('Added', diff.added),
    toSection('Removed', diff.removed),
    toSection('Changed', diff.changed),
    toServerSection(diff.server),
  ].filter((section) => section !== '');
  const accepted = ignored.length === 0 ? [] : [toIgnoredSection(ignored)];
  const parts = sections.length === 0 ? ['No differences', ...accepted] : [...sections, ...accepted, toSummary(diff)];
  return stripControl(`${parts.join('\n\n')}\n`);
}

function toSection(title: string, changes: readonly CapabilityChange[]): string {
  if (changes.length === 0) return '';
  const width = Math.max(...changes.map(({ key }) => key.length));
  const lines = changes.flatMap(({ key, route, changes: details }) => [
    `  ${key.padEnd(width)}  ${route}`,
    ...details.filter(isWorthALine).map((detail) => `    ${toChangeLine(detail)}`),
  ]);
  return [`${title} (${changes.length})`, '', ...lines].join('\n');
}

/** The title of its section says that a capability was added. */
export function isWorthALine({ rule, class: type }: ContractChange): boolean {
  return rule !== 'capability-added' || type !== 'safe';
}

function toIgnoredSection(ignored: readonly IgnoredChange[]): string {
  const lines = ignored.map(
    ({ key = 'server', change, reason }) => `  ${key}  ${change.message} (${change.rule}): ${reason}`,
  );
  return [`Ignored (${ignored.length})`, '', ...lines].join('\n');
}

function toServerSection(changes: readonly ContractChange[]): string {
  if (changes.length === 0) return '';
  return ['Server', '', ...changes.map((change) => `    ${toChangeLine(change)}`)].join('\n');
}

function toChangeLine({ class: type, message, reason, audience }: ContractChange): string {
  return `${type.padEnd(8)}  ${message}: ${reason} (${toCallers(audience)})`;
}

/** Who notices a change, as people read it. */
export function toCallers(audience: readonly Audience[]): string {
  const names = { http: 'HTTP callers', client: 'typed client', agents: 'agents', jobs: 'jobs' };
  return audience.map((who) => names[who]).join(', ');
}

function toSummary(diff: ContractDiff): string {
  const { breaking, risky, safe } = countClasses(diff);
  return `${breaking} breaking, ${risky} risky, ${safe} safe`;
}
