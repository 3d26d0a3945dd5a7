import { everybody } from '../contract/changes/rule.ts';
import { namesRoute } from '../contract/compare-routes.ts';
import { type ChangeGroup, groupChanges } from '../contract/summary/group-changes.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toCallers } from './diff-text.ts';
import { isShared, toReached, toReachedText, toSemver, toTotalsText } from './diff-totals.ts';
import type { Compared } from './load-compared.ts';

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
