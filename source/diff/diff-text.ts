import type { CapabilityChange, ContractChange } from '../contract/changes/contract-change.ts';
import { type Audience, everybody } from '../contract/changes/rule.ts';
import { namesRoute } from '../contract/compare-routes.ts';
import type { JudgedDiff } from '../contract/summary/apply-settings.ts';
import { type ChangeGroup, groupChanges } from '../contract/summary/group-changes.ts';
import { toFirstWord, toOneLine } from '../kit/line.ts';
import { stripControl } from '../terminal/strip-control.ts';
import {
  isShared,
  separateShared,
  toReached,
  toReachedText,
  toSemver,
  toTotalsText,
} from './diff-totals.ts';
import type { Compared } from './load-compared.ts';

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

/** The characters that GitHub takes in a comment. */
const MAX_COMMENT = 65_536;
/** The characters of headings, and of the sentence about what has no room. */
const FRAME = 1_000;
/** The characters of one cell: an enumeration may have thousands of values. */
const MAX_CELL = 1_000;

/**
 * A difference for a comment on a pull request: what is not safe in a table, the rest folded below it, the worst first.
 * Where not all has room in a comment, the last sentence says how much was left out.
 */
export function toDiffMarkdown(compared: Compared): string {
  const { diff, ignored, unread, sides } = compared;
  const step = toSemver(diff);
  const names = `${toCode(sides[0].label)} to ${toCode(sides[1].label)}`;
  if (step === 'none' && ignored.length === 0 && unread.length === 0)
    return `### API contract\n\nNothing changes for callers, from ${names}.\n`;
  const groups = groupChanges(diff);
  const room = new Room(MAX_COMMENT - FRAME);
  const unsafe = room.take(groups.filter(({ change }) => change.class !== 'safe').map(toRow));
  const safe = room.take(groups.filter(({ change }) => change.class === 'safe').map(toRow));
  const unseen = room.take(
    unread.map(({ side, keyword, place, count, reason }) => {
      const others = count > 1 ? ` and ${count - 1} more` : '';
      return `- ${toCode(side)}: ${toCode(keyword)} at ${toCode(place)}${others}: ${toProse(reason)}`;
    }),
  );
  const accepted = room.take(
    ignored.map(
      ({ key = 'server', change, reason }) =>
        `- ${toCode(key)}: ${toProse(change.message)} (${toProse(reason)})`,
    ),
  );
  const parts = [
    '### API contract',
    `**${toTotalsText(diff)}**, from ${names}: a ${step} version.`,
    toTable(unsafe),
    fold(`${safe.length} safe`, toTable(safe)),
    fold(`${unread.length} not compared`, unseen.join('\n')),
    fold(`${ignored.length} ignored`, accepted.join('\n')),
    room.left > 0
      ? `${room.left} more have no room in a comment: \`capix diff\` prints them all.`
      : '',
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** Hands out the characters of a comment: the first request is served first. */
class Room {
  #characters: number;
  /** The number of lines that had no room. */
  left = 0;

  constructor(characters: number) {
    this.#characters = characters;
  }

  /** The first lines, as many as have room. */
  take(lines: readonly string[]): readonly string[] {
    const taken: string[] = [];
    for (const line of lines) {
      if (this.left > 0 || line.length >= this.#characters) this.left += 1;
      else {
        this.#characters -= line.length + 1;
        taken.push(line);
      }
    }
    return taken;
  }
}

function toRow(group: ChangeGroup): string {
  const { class: type, reason, audience, rule } = group.change;
  const callers = everybody.every((who) => audience.includes(who)) ? 'all' : toCallers(audience);
  const shown = type === 'safe' ? type : `**${type}**`;
  const text = `${toProse(group.message)}: ${toProse(reason)}`;
  return `| ${shown} | ${toCapabilities(group)} | ${text} | ${callers} | \`${rule}\` |`;
}

/** The capability with its route, or how many there are. */
function toCapabilities(group: ChangeGroup): string {
  if (isShared(group)) return `${toReached(group).length}: ${toReachedText(group, toCode)}`;
  const { key = 'server', route } = group.places[0] ?? {};
  return route === undefined || namesRoute(key, route)
    ? toCode(key)
    : `${toCode(key)}<br>${toCode(route)}`;
}

function toTable(rows: readonly string[]): string {
  return rows.length === 0
    ? ''
    : ['| | Capability | Change | For | Rule |', '|---|---|---|---|---|', ...rows].join('\n');
}

function fold(summary: string, text: string): string {
  return text === '' ? '' : `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`;
}

/** Code stays as it is, but for what would end it or the cell; other text loses what Markdown reads. */
function toProse(text: string): string {
  return toCell(text).replaceAll(/`[^`]*`|[<>*_[\]\\]/g, (part) =>
    part.startsWith('`') ? part : `\\${part}`,
  );
}

function toCode(text: string): string {
  return `\`${toCell(text.replaceAll('`', "'"))}\``;
}

/** One line, which ends no cell. */
function toCell(text: string): string {
  const line = stripControl(text).replaceAll(/\s+/g, ' ');
  const shown = line.length > MAX_CELL ? `${line.slice(0, MAX_CELL)}…` : line;
  return shown.replaceAll('|', String.raw`\|`);
}
