import { type Audience, changeClasses } from '../contract/contract-change.ts';
import type { SourceFacts } from '../document/facts.ts';
import type { Line } from '../kit/line.ts';
import { wrapText } from '../kit/text.ts';
import type { Token } from '../kit/theme.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { classTokens, type DiffRow } from './diff-rows.ts';
import { audienceNames } from './diff-text.ts';

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
  { capability, change, line, children = [] }: Partial<DiffRow>,
  columns: number,
  places: DiffPlaces = {},
): readonly Line[] {
  const text = (words: string, token?: Token): readonly Line[] =>
    wrapText(stripControl(words), columns).map((part) => [{ text: part, token }]);
  if (change === undefined) {
    if (capability === undefined) return line === undefined ? [] : toGroupDetails(line, children, columns);
    const { key, route, kind, changes } = capability;
    const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
    const said = { added: 'It is new: nobody called it before.', removed: 'It is gone.', changed: count }[kind];
    return [
      ...text(`${key}  ${route}`, 'title'),
      ...text(said),
      ...toPlaceLines(places, columns),
      ...(kind === 'added' ? [] : changes.flatMap(({ at, reason }) => text(`${at}: ${reason}`, 'muted'))),
    ];
  }
  return [
    ...text(change.message.replaceAll('`', ''), 'title'),
    ...text(`${change.class}  ${change.at}`, classTokens[change.class]),
    ...toBesides([change.before, change.after], columns),
    ...toPlaceLines(places, columns),
    ...text(`Why: ${change.reason}`),
    ...text(`For: ${toAudience(change.audience)}`, 'muted'),
    ...text(`Rule: ${change.rule}`, 'muted'),
  ];
}

/** A group: how many capabilities are in it, how many changes of each class, and who notices one of them. */
function toGroupDetails(title: Line, nodes: readonly DiffRow[], columns: number): readonly Line[] {
  const changes = nodes.flatMap(({ change, capability }) => (change ? [change] : (capability?.changes ?? [])));
  const whole = nodes.flatMap(({ capability }) => (capability?.changes.length === 0 ? [capability] : []));
  const audience = new Set(changes.flatMap((one) => one.audience));
  const names = [...audience].map((who) => audienceNames[who]).join(', ');
  const counts = changeClasses.flatMap((type): Line => {
    const count = [...changes, ...whole].filter((one) => one.class === type).length;
    return count === 0 ? [] : [{ text: `${count} ${type}  `, token: classTokens[type] }];
  });
  return [
    title,
    ...(counts.length === 0 ? [] : [counts]),
    ...(names === '' ? [] : wrapText(`For: ${names}`, columns).map((text): Line => [{ text, token: 'muted' }])),
  ];
}

/** The places on both sides; one that is the same on both is said once. */
function toPlaceLines({ before, after }: DiffPlaces, columns: number): readonly Line[] {
  const [old, now] = [toPlace(before), toPlace(after)];
  if (old === undefined || old !== now) return toBesides([old, now], columns);
  return wrapText(stripControl(old), columns).map((text): Line => [{ text, token: 'muted' }]);
}

/** Old and new, under each other. */
function toBesides(
  [before, after]: readonly [string | undefined, string | undefined],
  columns: number,
): readonly Line[] {
  const toLines = (sign: string, text: string | undefined, token: Token): readonly Line[] =>
    text === undefined
      ? []
      : wrapText(`${sign} ${stripControl(text)}`, columns).map((part): Line => [{ text: part, token }]);
  return [...toLines('-', before, 'removed'), ...toLines('+', after, 'added')];
}

function toPlace(source: SourceFacts | undefined): string | undefined {
  return source && `${source.file}:${source.line}`;
}

function toAudience(audience: readonly Audience[]): string {
  return audience.map((who) => audienceNames[who]).join(', ');
}
