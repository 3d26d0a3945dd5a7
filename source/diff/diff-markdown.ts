import { type ContractChange, everybody } from '../contract/contract-change.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toCallers } from './diff-text.ts';
import { countClasses, toSemver } from './diff-totals.ts';
import type { Compared } from './load-compared.ts';

/** A difference for a pull request: what is not safe in a table, the rest folded below it. */
export function toDiffMarkdown({ diff, ignored, sides: [before, after] }: Compared): string {
  const { breaking, risky, safe } = countClasses(diff);
  const step = toSemver(diff);
  const names = `${toCode(before.label)} to ${toCode(after.label)}`;
  if (step === 'none' && ignored.length === 0)
    return `### API contract\n\nNothing changes for callers, from ${names}.\n`;
  const all = [
    ...[...diff.removed, ...diff.changed, ...diff.added].flatMap(({ key, route, changes }) =>
      changes.map((change) => toRow(key, change, route)),
    ),
    ...diff.server.map((change) => toRow('server', change)),
  ];
  const unsafe = all.filter(({ isSafe }) => !isSafe);
  const others = all.filter(({ isSafe }) => isSafe);
  const accepted = ignored.map(
    ({ key = 'server', change, reason }) => `- ${toCode(key)}: ${toProse(change.message)} (${toProse(reason)})`,
  );
  const parts = [
    '### API contract',
    `**${breaking} breaking, ${risky} risky, ${safe} safe**, from ${names}: a ${step} version.`,
    ...(unsafe.length === 0 ? [] : [toTable(unsafe)]),
    ...(others.length === 0 ? [] : [fold(`${others.length} safe`, toTable(others))]),
    ...(accepted.length === 0 ? [] : [fold(`${accepted.length} ignored`, accepted.join('\n'))]),
  ];
  return `${parts.join('\n\n')}\n`;
}

interface Row {
  readonly isSafe: boolean;
  readonly text: string;
}

function toRow(key: string, { class: changeClass, message, reason, audience, rule }: ContractChange, route = ''): Row {
  const name = route === '' ? toCode(key) : `${toCode(key)}<br>${toCode(route)}`;
  const callers = everybody.every((who) => audience.includes(who)) ? 'all' : toCallers(audience);
  const isSafe = changeClass === 'safe';
  const shown = isSafe ? changeClass : `**${changeClass}**`;
  return {
    isSafe,
    text: `| ${shown} | ${name} | ${toProse(message)}: ${toProse(reason)} | ${callers} | \`${rule}\` |`,
  };
}

function toTable(rows: readonly Row[]): string {
  const lines = rows.map(({ text }) => text);
  return ['| | Capability | Change | For | Rule |', '|---|---|---|---|---|', ...lines].join('\n');
}

function fold(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${text}\n\n</details>`;
}

/** Code stays as it is, but for what would end it or the cell; other text loses what Markdown reads. */
function toProse(text: string): string {
  return oneLine(text).replaceAll(/`[^`]*`|[<>*_[\]\\]/g, (part) => (part.startsWith('`') ? part : `\\${part}`));
}

function toCode(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}

function oneLine(text: string): string {
  return stripControl(text).replaceAll(/\s+/g, ' ').replaceAll('|', String.raw`\|`);
}
