import type { SourceFacts } from '../document/facts.ts';
import type { Line } from '../kit/line.ts';
import { wrapText } from '../kit/text.ts';
import type { Token } from '../kit/theme.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { classTokens, type DiffRow } from './diff-rows.ts';
import { toCallers } from './diff-text.ts';

/** The places where a capability is declared on each side. */
export interface DiffPlaces {
  readonly before?: SourceFacts | undefined;
  readonly after?: SourceFacts | undefined;
}

/**
 * All about the selection, in lines of at most `columns`: the field, old and new with their places, what it does and to
 * whom.
 */
export function toDiffDetails(
  { changed, change, line }: Partial<DiffRow>,
  columns: number,
  { before, after }: DiffPlaces = {},
): readonly Line[] {
  const text = (words: string | undefined, token?: Token): readonly Line[] =>
    words === undefined ? [] : wrapText(stripControl(words), columns).map((part) => [{ text: part, token }]);
  const beside = (old: string | undefined, now: string | undefined): readonly Line[] => [
    ...text(old && `- ${old}`, 'removed'),
    ...text(now && `+ ${now}`, 'added'),
  ];
  const [old, now] = [before, after].map((source) => source && `${source.file}:${source.line}`);
  const places = old === now ? text(old, 'muted') : beside(old, now);
  if (change !== undefined)
    return [
      ...text(change.message.replaceAll('`', ''), 'title'),
      ...text(`${change.class}  ${change.at}`, classTokens[change.class]),
      ...beside(change.before, change.after),
      ...places,
      ...text(`Why: ${change.reason}`),
      ...text(`For: ${toCallers(change.audience)}`, 'muted'),
      ...text(`Rule: ${change.rule}`, 'muted'),
    ];
  if (changed === undefined) return line === undefined ? [] : [line];
  const { key, route, kind, changes } = changed;
  const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
  const said = { added: 'It is new: nobody called it before.', removed: 'It is gone.', changed: count }[kind];
  return [
    ...text(`${key}  ${route}`, 'title'),
    ...text(said),
    ...places,
    ...(kind === 'added' ? [] : changes.flatMap(({ at, reason }) => text(`${at}: ${reason}`, 'muted'))),
  ];
}
