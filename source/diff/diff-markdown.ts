import { everybody } from '../contract/rules.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toCallers } from './diff-text.ts';
import { toNamedChanges, toSemver, toTotalsText } from './diff-totals.ts';
import type { Compared } from './load-compared.ts';

/** A difference for a pull request: what is not safe in a table, the rest folded below it. */
export function toDiffMarkdown({ diff, ignored, sides: [before, after] }: Compared): string {
  const step = toSemver(diff);
  const names = `${toCode(before.label)} to ${toCode(after.label)}`;
  if (step === 'none' && ignored.length === 0)
    return `### API contract\n\nNothing changes for callers, from ${names}.\n`;
  const safe = toRows(diff, true);
  const accepted = ignored.map(
    ({ key = 'server', change, reason }) =>
      `- ${toCode(key)}: ${toProse(change.message)} (${toProse(reason)})`,
  );
  const parts = [
    '### API contract',
    `**${toTotalsText(diff)}**, from ${names}: a ${step} version.`,
    toTable(toRows(diff, false)),
    fold(`${safe.length} safe`, toTable(safe)),
    fold(`${accepted.length} ignored`, accepted.join('\n')),
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

function toRows(diff: Compared['diff'], isSafe: boolean): readonly string[] {
  return toNamedChanges(diff).flatMap(
    ({ key, route, change: { class: type, message, reason, audience, rule } }) => {
      if ((type === 'safe') !== isSafe) return [];
      const name = route === undefined ? toCode(key) : `${toCode(key)}<br>${toCode(route)}`;
      const callers = everybody.every((who) => audience.includes(who))
        ? 'all'
        : toCallers(audience);
      const shown = isSafe ? type : `**${type}**`;
      return [
        `| ${shown} | ${name} | ${toProse(message)}: ${toProse(reason)} | ${callers} | \`${rule}\` |`,
      ];
    },
  );
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
  return oneLine(text).replaceAll(/`[^`]*`|[<>*_[\]\\]/g, (part) =>
    part.startsWith('`') ? part : `\\${part}`,
  );
}

function toCode(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}

function oneLine(text: string): string {
  return stripControl(text).replaceAll(/\s+/g, ' ').replaceAll('|', String.raw`\|`);
}
