import {
  type CapabilityChange,
  type ContractChange,
  compareClasses,
} from '../contract/changes/contract-change.ts';
import type { ChangeClass } from '../contract/changes/rule.ts';
import { namesRoute } from '../contract/compare-routes.ts';
import type { IgnoredChange, JudgedDiff } from '../contract/summary/apply-settings.ts';
import type { ChangeGroup } from '../contract/summary/group-changes.ts';
import type { Line } from '../kit/line.ts';
import { signs, type Token } from '../kit/theme.ts';
import type { Listed } from '../manifest/manifest.ts';
import type { ActionRow } from '../screens/use-row-actions.ts';
import { toCount } from '../values/count.ts';
import type { AcceptedChange } from './accept-changes.ts';
import { isWorthALine, toCallers } from './diff-text.ts';
import { separateShared } from './diff-totals.ts';
import type { UnreadPart } from './load-compared.ts';

export interface DiffRow extends ActionRow {
  readonly line: Line;
  readonly details: readonly (readonly [text: string, token?: Token])[];
  /** What the project would accept of it; none of what breaks nobody. */
  readonly accepts?: readonly AcceptedChange[];
  readonly children?: readonly DiffRow[];
}

export const classTokens = {
  breaking: 'danger',
  risky: 'warning',
  safe: 'success',
} as const satisfies Record<ChangeClass, Token>;

/**
 * The difference as rows: the changes of components that several capabilities share, and in each the capabilities that
 * it reaches; then what was removed, changed and added, in these the capabilities, the worst first, and in them what
 * changed. What differs for all of them stands first, and what the project ignores last. A filter finds classes,
 * audiences and sides of changes, too: `breaking agents orders`. `open`: the capabilities of the project that is open,
 * by their keys.
 */
export function toDiffRows(
  { diff, ignored }: JudgedDiff,
  open: ReadonlyMap<string, Listed>,
  unread: readonly UnreadPart[] = [],
): readonly DiffRow[] {
  const { shared, own } = separateShared(diff);
  const toRows = (all: readonly CapabilityChange[]) =>
    toCapabilityRows(
      all.toSorted((one, other) => compareClasses(one.class, other.class)),
      open,
    );
  return [
    ...toGroup(
      'Server',
      'changed',
      toChangeRows(own.server, 'server', (change) => toAccepted([change])),
    ),
    ...toGroup(
      'Shared',
      'changed',
      shared.map((group) => toSharedRow(group, open)),
    ),
    ...toGroup('Removed', 'removed', toRows(own.removed)),
    ...toGroup('Changed', 'changed', toRows(own.changed)),
    ...toGroup('Added', 'added', toRows(own.added)),
    ...toGroup('Ignored', 'muted', ignored.map(toIgnoredRow)),
    ...toGroup('Not compared', 'warning', unread.map(toUnreadRow)),
  ];
}

function toUnreadRow({ side, place, keyword, count, reason }: UnreadPart): DiffRow {
  const text = `${side}: ${keyword} at ${place} (${reason})`;
  const times = count === 1 ? '' : `  ${count} times`;
  return {
    id: `unread/${text}`,
    line: [{ text: keyword }, { text: `  ${side}${times}`, token: 'muted' }],
    search: text,
    copied: text,
    details: [[keyword, 'title'], [`${side}${times}`], [place, 'muted'], [`Why: ${reason}`]],
  };
}

function toGroup(title: string, token: Token, children: readonly DiffRow[]): readonly DiffRow[] {
  if (children.length === 0) return [];
  const line: Line = [
    { text: title, token },
    { text: ` (${children.length})`, token: 'muted' },
  ];
  return [{ id: title, line, details: [[`${title} (${children.length})`]], children }];
}

/** A change of a component, with the capabilities that have it. */
function toSharedRow(
  { change, message, places }: ChangeGroup,
  open: ReadonlyMap<string, Listed>,
): DiffRow {
  const id = `shared/${change.rule} ${message} ${change.audience.join()}`;
  const [row] = toChangeRows([{ ...change, message }], id);
  const children = places.map(({ kind, key = 'server', route = '', at }): DiffRow => {
    const capability = kind === 'removed' ? undefined : open.get(key);
    const source = capability?.facts.source;
    return {
      ...(capability && { capability, source, route: { screen: 'show', key } as const }),
      id: `${id}/${key}/${route}/${at}`,
      line: [{ text: key }, { text: `  ${at}`, token: 'muted' }],
      search: [key, route, at].join(' '),
      copied: `${key}  ${route}  ${at}`,
      accepts: toAccepted([{ ...change, at }], key),
      details: [[`${key}  ${route}`, 'title'], [at, 'muted'], ...(row?.details.slice(2) ?? [])],
    };
  });
  const count = `  ${places.length} places`;
  const copiedPlaces = places.map(({ key = 'server', at }) => `${key}  ${at}`);
  const line: Line = [toBadge(change.class), { text: message.replaceAll('`', '') }];
  return {
    id,
    line: [...line, { text: count, token: 'muted' }],
    search: row?.search ?? message,
    copied: [toCopied({ ...change, message }), ...copiedPlaces].join('\n'),
    details: row?.details ?? [],
    accepts: children.flatMap(({ accepts = [] }) => accepts),
    children,
    // Hundreds of places would push all other changes away.
    isOpen: false,
  };
}

function toIgnoredRow({ key = 'server', change, reason }: IgnoredChange): DiffRow {
  const id = `ignored/${key}/${change.at}/${change.rule}`;
  const line: Line = [{ text: key }, { text: `  ${reason}`, token: 'muted' }];
  const copied = `${key}: ${reason}`;
  return { id, line, copied, details: [[copied]], children: toChangeRows([change], id) };
}

function toCapabilityRows(
  all: readonly CapabilityChange[],
  open: ReadonlyMap<string, Listed>,
): readonly DiffRow[] {
  const width = Math.min(40, Math.max(0, ...all.map(({ key }) => key.length)));
  return all.map(({ kind, key, route, changes, class: worst }): DiffRow => {
    const id = `${kind}/${key}/${route}`;
    const capability = kind === 'removed' ? undefined : open.get(key);
    const named = namesRoute(key, route) ? '' : `  ${route}`;
    const source = capability?.facts.source;
    const links = capability && { capability, source, route: { screen: 'show', key } as const };
    const shown = toChangeRows(changes.filter(isWorthALine), id, (change) =>
      toAccepted([change], key),
    );
    const count = toCount(changes.length, 'change');
    const words = {
      added: 'It is new: nobody called it before.',
      removed: 'It is gone.',
      changed: count,
    };
    return {
      ...links,
      id,
      line: [toBadge(worst), { text: key.padEnd(width) }, { text: named, token: 'muted' }],
      // A class is found by the changes that are of it.
      search: `${key} ${route} ${shown.length === 0 ? worst : ''}`,
      copied: [`${key}${named}`, ...changes.map(toCopied)].join('\n'),
      accepts: toAccepted(changes, key),
      details: [
        [`${key}${named}`, 'title'],
        [words[kind]],
        ...(source === undefined ? [] : [[`${source.file}:${source.line}`, 'muted'] as const]),
      ],
      children: shown.map((row) => ({ ...row, ...links })),
    };
  });
}

function toChangeRows(
  changes: readonly ContractChange[],
  inside: string,
  toAccepts: (change: ContractChange) => readonly AcceptedChange[] = () => [],
): readonly DiffRow[] {
  return changes.map((change, index) => {
    const { at, rule, class: type, message, reason, audience, before, after } = change;
    const text = message.replaceAll('`', '');
    // The same field may change in the input and in the output, with another class.
    const [side = ''] = at.split(/[.[]/);
    return {
      id: `${inside}/${at} ${rule} ${message} ${index}`,
      line: [toBadge(type), { text }, { text: `  ${side}`, token: 'muted' }],
      search: [type, ...audience, at, message].join(' '),
      copied: toCopied(change),
      accepts: toAccepts(change),
      details: [
        [text, 'title'],
        [`${type}  ${at}`, classTokens[type]],
        ...(before === undefined ? [] : [[`- ${before}`, 'removed'] as const]),
        ...(after === undefined ? [] : [[`+ ${after}`, 'added'] as const]),
        [`Why: ${reason}`],
        [`For: ${toCallers(audience)}`, 'muted'],
        [`Rule: ${rule}`, 'muted'],
      ],
    };
  });
}

/** `key`: of the capability; undefined of what differs for all. */
function toAccepted(
  changes: readonly Pick<ContractChange, 'class' | 'rule' | 'at'>[],
  key?: string,
): readonly AcceptedChange[] {
  return changes.flatMap(({ class: type, rule, at }) =>
    type === 'safe' ? [] : [{ rule, ...(key !== undefined && { capability: key }), at }],
  );
}

function toBadge(type: ChangeClass): Line[number] {
  const badges = { breaking: signs.cross, risky: signs.warning, safe: signs.tick };
  return { text: `${badges[type]} `, token: classTokens[type] };
}

function toCopied({ class: type, message, reason }: ContractChange): string {
  return `${type}: ${message} (${reason})`;
}
