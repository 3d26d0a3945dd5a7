import type { IgnoredChange, JudgedDiff } from '../contract/apply-settings.ts';
import type { CapabilityChange, ChangeClass, ContractChange, ContractDiff } from '../contract/contract-change.ts';
import type { Line } from '../kit/line.ts';
import type { Row } from '../kit/row.ts';
import { signs, type Token } from '../kit/theme.ts';
import { isWorthALine } from './diff-text.ts';

export interface DiffStyle {
  /** Keys of the capabilities that the last load brought or changed. */
  readonly marks: ReadonlySet<string>;
  /**
   * Whether a class has a sign in place of its name, and a change does not say its side: the details do. @default false
   */
  readonly isBrief?: boolean;
}

/** A row, and the change or the capability that it shows; the groups show neither. */
export interface DiffRow extends Row {
  readonly line: Line;
  readonly capability?: CapabilityChange;
  readonly change?: ContractChange;
  readonly children?: readonly DiffRow[];
}

const titles = { removed: 'Removed', changed: 'Changed', added: 'Added' } as const;

export const classTokens = { breaking: 'danger', risky: 'warning', safe: 'success' } as const satisfies Record<
  ChangeClass,
  Token
>;

/**
 * The difference as rows: what was removed, changed and added; in these the capabilities, in them what changed. What
 * differs for all of them stands first, and what the project ignores last. A filter finds classes, audiences and sides
 * of changes, too: `breaking agents orders`.
 */
export function toDiffRows({ diff, ignored }: JudgedDiff, style: DiffStyle): readonly DiffRow[] {
  return [
    ...toGroup('server', 'Server', toChangeRows(diff.server, 'server', style)),
    ...kinds.flatMap((kind) => toCapabilityRows(kind, diff, style)),
    ...toGroup(
      'ignored',
      `Ignored (${ignored.length})`,
      ignored.map((each) => toIgnoredRow(each, style)),
    ),
  ];
}

const kinds = ['removed', 'changed', 'added'] as const;

function toGroup(id: string, title: string, children: readonly DiffRow[]): readonly DiffRow[] {
  const [word = '', ...count] = title.split(' ');
  const token = id === 'ignored' ? 'muted' : id === 'server' ? 'changed' : (id as (typeof kinds)[number]);
  const line: Line = [
    { text: word, token },
    { text: count.map((each) => ` ${each}`).join(''), token: 'muted' },
  ];
  return children.length === 0 ? [] : [{ id, line, children }];
}

function toIgnoredRow({ key = 'server', change, reason }: IgnoredChange, style: DiffStyle): DiffRow {
  const id = `ignored/${key}/${change.at}/${change.rule}`;
  const line: Line = [{ text: key }, { text: `  ${reason}`, token: 'muted' }];
  return { id, line, copied: `${key}: ${reason}`, children: toChangeRows([change], id, style) };
}

function toCapabilityRows(kind: (typeof kinds)[number], diff: ContractDiff, style: DiffStyle): readonly DiffRow[] {
  const width = Math.min(40, Math.max(0, ...diff[kind].map(({ key }) => key.length)));
  const rows = diff[kind].map((capability): DiffRow => {
    const { key, route, changes } = capability;
    const told = toChangeRows(changes.filter(isWorthALine), `${kind}/${key}`, style);
    return {
      id: `${kind}/${key}`,
      line: [
        toBadge(capability.class, style),
        { text: key.padEnd(width), token: style.marks.has(key) ? 'changed' : undefined },
        { text: `  ${route}`, token: 'muted' },
      ],
      // A class is found by the changes that are of it.
      search: `${key} ${route} ${told.length === 0 ? capability.class : ''}`,
      copied: [`${key}  ${route}`, ...changes.map(toCopied)].join('\n'),
      capability,
      children: told.map((row) => ({ ...row, capability })),
    };
  });
  return toGroup(kind, `${titles[kind]} (${rows.length})`, rows);
}

function toChangeRows(changes: readonly ContractChange[], inside: string, style: DiffStyle): readonly DiffRow[] {
  return changes.map((change, index) => ({
    id: `${inside}/${change.at} ${change.rule} ${change.message} ${index}`,
    line: toChangeLine(change, style),
    search: [change.class, ...change.audience, change.at, change.message].join(' '),
    copied: toCopied(change),
    change,
  }));
}

function toBadge(type: ChangeClass, { isBrief }: DiffStyle): Line[number] {
  const badges = { breaking: signs.cross, risky: signs.warning, safe: signs.tick };
  return { text: isBrief ? `${badges[type]} ` : type.padEnd(10), token: classTokens[type] };
}

/** A longer old or new value is only in the details. */
const SHORT = 24;

function toChangeLine(change: ContractChange, style: DiffStyle): Line {
  const { message, before, after } = change;
  const values =
    before === undefined ||
    after === undefined ||
    before.length + after.length > SHORT ||
    saysBoth(message, before, after)
      ? []
      : [
          { text: `  ${before}`, token: 'removed' as const },
          { text: ` ${signs.arrow} `, token: 'muted' as const },
          { text: after, token: 'added' as const },
        ];
  // The same field may change in the input and in the output, with another class.
  const [side = ''] = change.at.split(/[.[]/);
  return [
    toBadge(change.class, style),
    { text: style.isBrief ? '' : side.padEnd(8), token: 'muted' },
    { text: message.replaceAll('`', '') },
    ...values,
  ];
}

/** Whether a message has the old and the new value in its words: `limit has the maximum 50, it was 100`. */
function saysBoth(message: string, before: string, after: string): boolean {
  const words = message.split(/[\s,]+/);
  return words.includes(before) && words.includes(after);
}

function toCopied({ class: type, message, reason }: ContractChange): string {
  return `${type}: ${message} (${reason})`;
}
