import type { IgnoredChange, JudgedDiff } from '../contract/apply-settings.ts';
import type { CapabilityChange, ChangeClass, ContractChange } from '../contract/contract-change.ts';
import type { Line } from '../kit/line.ts';
import { signs, type Token } from '../kit/theme.ts';
import type { ActionRow } from '../screens/use-row-actions.ts';
import { isWorthALine } from './diff-text.ts';

/** A row, and the change or the capability that it shows; the groups show neither. */
export interface DiffRow extends ActionRow {
  readonly line: Line;
  readonly change?: ContractChange;
  /** The capability that changed, or that the change is one of. */
  readonly changed?: CapabilityChange;
  readonly children?: readonly DiffRow[];
}

export const classTokens = { breaking: 'danger', risky: 'warning', safe: 'success' } as const satisfies Record<
  ChangeClass,
  Token
>;

/**
 * The difference as rows: what was removed, changed and added; in these the capabilities, in them what changed. What
 * differs for all of them stands first, and what the project ignores last. A filter finds classes, audiences and sides
 * of changes, too: `breaking agents orders`. `marks`: keys of the capabilities that the last load brought or changed.
 */
export function toDiffRows({ diff, ignored }: JudgedDiff, marks: ReadonlySet<string>): readonly DiffRow[] {
  const { removed, changed, added } = diff;
  return [
    ...toGroup('Server', 'changed', toChangeRows(diff.server, 'server')),
    ...toGroup('Removed', 'removed', toCapabilityRows(removed, marks)),
    ...toGroup('Changed', 'changed', toCapabilityRows(changed, marks)),
    ...toGroup('Added', 'added', toCapabilityRows(added, marks)),
    ...toGroup('Ignored', 'muted', ignored.map(toIgnoredRow)),
  ];
}

function toGroup(title: string, token: Token, children: readonly DiffRow[]): readonly DiffRow[] {
  if (children.length === 0) return [];
  const line: Line = [
    { text: title, token },
    { text: ` (${children.length})`, token: 'muted' },
  ];
  return [{ id: title, line, children }];
}

function toIgnoredRow({ key = 'server', change, reason }: IgnoredChange): DiffRow {
  const id = `ignored/${key}/${change.at}/${change.rule}`;
  const line: Line = [{ text: key }, { text: `  ${reason}`, token: 'muted' }];
  return { id, line, copied: `${key}: ${reason}`, children: toChangeRows([change], id) };
}

function toCapabilityRows(all: readonly CapabilityChange[], marks: ReadonlySet<string>): readonly DiffRow[] {
  const width = Math.min(40, Math.max(0, ...all.map(({ key }) => key.length)));
  return all.map((changed): DiffRow => {
    const { kind, key, route, changes } = changed;
    const id = `${kind}/${key}`;
    const told = toChangeRows(changes.filter(isWorthALine), id);
    return {
      id,
      line: [
        toBadge(changed.class),
        { text: key.padEnd(width), token: marks.has(key) ? 'changed' : undefined },
        { text: `  ${route}`, token: 'muted' },
      ],
      // A class is found by the changes that are of it.
      search: `${key} ${route} ${told.length === 0 ? changed.class : ''}`,
      copied: [`${key}  ${route}`, ...changes.map(toCopied)].join('\n'),
      changed,
      children: told.map((row) => ({ ...row, changed })),
    };
  });
}

function toChangeRows(changes: readonly ContractChange[], inside: string): readonly DiffRow[] {
  return changes.map((change, index) => {
    const { at, message, audience } = change;
    // The same field may change in the input and in the output, with another class.
    const [side = ''] = at.split(/[.[]/);
    return {
      id: `${inside}/${at} ${change.rule} ${message} ${index}`,
      line: [toBadge(change.class), { text: message.replaceAll('`', '') }, { text: `  ${side}`, token: 'muted' }],
      search: [change.class, ...audience, at, message].join(' '),
      copied: toCopied(change),
      change,
    };
  });
}

function toBadge(type: ChangeClass): Line[number] {
  const badges = { breaking: signs.cross, risky: signs.warning, safe: signs.tick };
  return { text: `${badges[type]} `, token: classTokens[type] };
}

function toCopied({ class: type, message, reason }: ContractChange): string {
  return `${type}: ${message} (${reason})`;
}
