import type { Audience } from '../contract/contract-change.ts';
import type { Line } from '../kit/line/line.ts';
import { wrapText } from '../kit/text/text-width.ts';
import type { Token } from '../kit/theme/tokens.ts';
import type { ManifestSource } from '../manifest/manifest.ts';
import { stripControl } from '../terminal/control/strip-control.ts';
import { audienceNames } from './diff-text.ts';
import { classTokens, type DiffNode } from './diff-tree.ts';

/** The places where a capability is declared on each side. */
export interface DiffPlaces {
  readonly before?: ManifestSource | undefined;
  readonly after?: ManifestSource | undefined;
}

/** All about the selection, in lines of at most `columns`: the field, old and new beside each other with their places, what it does and to whom. */
export function toDiffDetails(
  { capability, change }: Partial<DiffNode>,
  columns: number,
  places: DiffPlaces = {},
): readonly Line[] {
  const text = (words: string, token?: Token): readonly Line[] =>
    wrapText(stripControl(words), columns).map((part) => [{ text: part, token }]);
  if (change === undefined) {
    if (capability === undefined) return [];
    const { key, route, kind, changes } = capability;
    const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
    const said = { added: 'It is new: nobody called it before.', removed: 'It is gone.', changed: count }[kind];
    return [
      ...text(`${key}  ${route}`, 'title'),
      ...text(said),
      ...toBesides([toPlace(places.before), toPlace(places.after)], columns),
      ...changes.flatMap(({ at, reason }) => text(`${at}: ${reason}`, 'muted')),
    ];
  }
  return [
    ...text(`${change.class}  ${change.at}`, classTokens[change.class]),
    ...text(change.message.replaceAll('`', '')),
    ...toBesides([change.before, change.after], columns),
    ...toBesides([toPlace(places.before), toPlace(places.after)], columns),
    ...text(`Why: ${change.reason}`),
    ...text(`For: ${toAudience(change.audience)}`, 'muted'),
    ...text(`Rule: ${change.rule}`, 'muted'),
  ];
}

/** Columns from which on old and new stand beside each other. */
const BESIDE_FROM = 60;

function toBesides([old, now]: readonly [string | undefined, string | undefined], columns: number): readonly Line[] {
  const [before, after] = [old, now].map((text) => text && stripControl(text));
  if (before === undefined && after === undefined) return [];
  const half = Math.floor((columns - 1) / 2);
  if (columns < BESIDE_FROM || before === undefined || after === undefined)
    return [
      ...(before === undefined
        ? []
        : wrapText(`- ${before}`, columns).map((part): Line => [{ text: part, token: 'removed' }])),
      ...(after === undefined
        ? []
        : wrapText(`+ ${after}`, columns).map((part): Line => [{ text: part, token: 'added' }])),
    ];
  const [left, right] = [wrapText(`- ${before}`, half), wrapText(`+ ${after}`, half)];
  return Array.from(
    { length: Math.max(left.length, right.length) },
    (_, row): Line => [
      { text: (left[row] ?? '').padEnd(half + 1), token: 'removed' },
      { text: right[row] ?? '', token: 'added' },
    ],
  );
}

function toPlace(source: ManifestSource | undefined): string | undefined {
  return source && `${source.file}:${source.line}`;
}

function toAudience(audience: readonly Audience[]): string {
  return audience.map((who) => audienceNames[who]).join(', ');
}
