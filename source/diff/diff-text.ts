import type { CapabilityChange, ContractChange } from '../contract/changes/contract-change.ts';
import type { Audience } from '../contract/changes/rule.ts';
import { namesRoute } from '../contract/compare-routes.ts';
import type { JudgedDiff } from '../contract/summary/apply-settings.ts';
import type { ChangeGroup } from '../contract/summary/group-changes.ts';
import { toFirstWord, toOneLine } from '../kit/line.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { separateShared, toReached, toReachedText, toTotalsText } from './diff-totals.ts';

/**
 * A difference as text, with a line feed at its end and free of escape sequences:
 *
 *     Changed (1)
 *
 *       users.updateUser  PATCH /users/:id
 *         breaking  `email` became required: callers that leave it out are refused (HTTP callers, typed client, agents)
 *
 *     1 breaking, 0 risky, 0 safe
 *
 * What a component has that several capabilities share stands before them, once. Names and values of others are part of
 * a line, and never one of their own, which a build could take for a command.
 */
export function toDiffText({ diff, ignored }: JudgedDiff): string {
  const { shared, own } = separateShared(diff);
  const sections = [
    ...toSharedSection(shared),
    ...toSection('Added', own.added),
    ...toSection('Removed', own.removed),
    ...toSection('Changed', own.changed),
    ...(own.server.length === 0 ? [] : [['Server', '', ...own.server.map(toLine)].join('\n')]),
  ];
  const accepted = ignored.map(({ key = 'server', change, reason }) =>
    toOneLine(`  ${toFirstWord(key)}  ${change.message} (${change.rule}): ${reason}`),
  );
  const parts = [
    ...(sections.length === 0 ? ['No differences'] : sections),
    ...(accepted.length === 0 ? [] : [`Ignored (${accepted.length})\n\n${accepted.join('\n')}`]),
    ...(sections.length === 0 ? [] : [toTotalsText(diff)]),
  ];
  return stripControl(`${parts.join('\n\n')}\n`);
}

function toSharedSection(shared: readonly ChangeGroup[]): readonly string[] {
  if (shared.length === 0) return [];
  const lines = shared.flatMap((group) => [
    toLine({ ...group.change, message: group.message }),
    toOneLine(`              ${toReached(group).length} capabilities: ${toReachedText(group)}`),
  ]);
  return [[`Shared (${shared.length})`, '', ...lines].join('\n')];
}

function toSection(title: string, all: readonly CapabilityChange[]): readonly string[] {
  if (all.length === 0) return [];
  const width = Math.max(...all.map(({ key }) => toFirstWord(key).length));
  const lines = all.flatMap(({ key, route, changes }) => [
    toOneLine(
      namesRoute(key, route)
        ? `  ${toFirstWord(key)}`
        : `  ${toFirstWord(key).padEnd(width)}  ${route}`,
    ),
    ...changes.filter(isWorthALine).map(toLine),
  ]);
  return [[`${title} (${all.length})`, '', ...lines].join('\n')];
}

/** The title of its section says that a capability was added. */
export function isWorthALine({ rule, class: type }: ContractChange): boolean {
  return rule !== 'capability-added' || type !== 'safe';
}

function toLine({ class: type, message, reason, audience }: ContractChange): string {
  return toOneLine(`    ${type.padEnd(8)}  ${message}: ${reason} (${toCallers(audience)})`);
}

/** The groups that notice a change, as people read them. */
export function toCallers(audience: readonly Audience[]): string {
  const names = {
    http: 'HTTP callers',
    client: 'typed client',
    agents: 'agents',
    jobs: 'jobs',
    graphql: 'GraphQL',
  };
  return audience.map((who) => names[who]).join(', ');
}
