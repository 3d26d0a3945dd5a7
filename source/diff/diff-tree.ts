import type {
  Audience,
  CapabilityChange,
  ChangeClass,
  ContractChange,
  ContractDiff,
} from '../contract/contract-change.ts';
import { type Line, markMatches } from '../kit/line/line.ts';
import { filterFuzzily } from '../kit/list/filter-fuzzily.ts';
import { wrapText } from '../kit/text/text-width.ts';
import type { Symbols, Token } from '../kit/theme/tokens.ts';
import type { TreeNode } from '../kit/tree/tree-state.ts';
import { stripControl } from '../terminal/control/strip-control.ts';
import { audienceNames } from './diff-text.ts';

/** What is shown of a difference: what a text finds, and only one class where one is asked for. */
export interface DiffQuery {
  readonly text: string;
  readonly class?: ChangeClass | undefined;
}

export interface DiffStyle {
  readonly symbols: Symbols;
  /** Keys of the capabilities that the last load brought or changed. */
  readonly marks: ReadonlySet<string>;
}

/** A node of the tree, and what it is of; the three groups are of nothing. */
export interface DiffNode extends TreeNode {
  readonly capability?: CapabilityChange;
  readonly change?: ContractChange;
  readonly children?: readonly DiffNode[];
}

const titles = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const;
const kindTokens = { added: 'added', removed: 'removed', changed: 'changed' } as const;

export const classTokens = { breaking: 'danger', risky: 'warning', safe: 'success' } as const satisfies Record<
  ChangeClass,
  Token
>;

/** The difference as a tree: what was removed, changed and added, in them the capabilities, in them what changed. */
export function toDiffTree(diff: ContractDiff, query: DiffQuery, style: DiffStyle): readonly DiffNode[] {
  return (['removed', 'changed', 'added'] as const).flatMap((kind): readonly DiffNode[] => {
    const wanted = diff[kind].flatMap((capability) => toWanted(capability, query));
    const found = filterFuzzily(wanted, query.text, { getText: ({ key }) => key });
    if (found.length === 0) return [];
    const width = Math.min(40, Math.max(...wanted.map(({ key }) => key.length)));
    return [
      {
        id: kind,
        line: [
          { text: titles[kind], token: kindTokens[kind] },
          { text: ` (${found.length})`, token: 'muted' },
        ],
        children: found.map(({ item, matches }) => toCapabilityNode(item, { matches, width, style })),
      },
    ];
  });
}

/** The capability with the changes of the class that is asked for; nothing where it has none. */
function toWanted(capability: CapabilityChange, query: DiffQuery): readonly CapabilityChange[] {
  if (query.class === undefined) return [capability];
  const changes = capability.changes.filter((change) => change.class === query.class);
  return changes.length > 0 || capability.class === query.class ? [{ ...capability, changes }] : [];
}

interface CapabilityStyle {
  readonly matches: readonly number[];
  /** Columns of the key. */
  readonly width: number;
  readonly style: DiffStyle;
}

function toCapabilityNode(capability: CapabilityChange, { matches, width, style }: CapabilityStyle): DiffNode {
  const { key, route, kind, changes } = capability;
  const token = style.marks.has(key) ? 'changed' : undefined;
  return {
    id: `${kind}/${key}`,
    line: [
      toBadge(capability.class),
      ...markMatches(key.padEnd(width), { token, matches }),
      { text: `  ${route}`, token: 'muted' },
    ],
    copied: [`${key}  ${route}`, ...changes.map(toCopied)].join('\n'),
    capability,
    children: changes.map((change, index) => ({
      id: `${kind}/${key}/${change.at} ${change.message} ${index}`,
      line: toChangeLine(change, style.symbols),
      copied: toCopied(change),
      capability,
      change,
    })),
  };
}

function toBadge(type: ChangeClass): Line[number] {
  return { text: type.padEnd(10), token: classTokens[type] };
}

/** A longer old or new value is only in the details. */
const SHORT = 24;

function toChangeLine(change: ContractChange, symbols: Symbols): Line {
  const { message, before, after } = change;
  const values =
    before === undefined || after === undefined || before.length + after.length > SHORT
      ? []
      : [
          { text: `  ${before}`, token: 'removed' as const },
          { text: ` ${symbols.arrow} `, token: 'muted' as const },
          { text: after, token: 'added' as const },
        ];
  // The same field may change in the input and in the output, with another class.
  const [side = ''] = change.at.split(/[.[]/);
  return [
    toBadge(change.class),
    { text: side.padEnd(8), token: 'muted' },
    { text: message.replaceAll('`', '') },
    ...values,
  ];
}

function toCopied({ class: type, message, reason }: ContractChange): string {
  return `${type}: ${message} (${reason})`;
}

/** All about the selection, in lines of at most `columns`: the field, old and new, what it does and to whom. */
export function toDiffDetails({ capability, change }: Partial<DiffNode>, columns: number): readonly Line[] {
  if (capability === undefined) return [];
  const text = (words: string, token?: Token): readonly Line[] =>
    wrapText(stripControl(words), columns).map((part) => [{ text: part, token }]);
  if (change === undefined) {
    const { key, route, kind, changes } = capability;
    const count = changes.length === 1 ? '1 change' : `${changes.length} changes`;
    const said = { added: 'It is new: nobody called it before.', removed: 'It is gone.', changed: count }[kind];
    return [
      ...text(`${key}  ${route}`, 'title'),
      ...text(said),
      ...changes.flatMap(({ at, reason }) => text(`${at}: ${reason}`, 'muted')),
    ];
  }
  return [
    ...text(`${change.class}  ${change.at}`, classTokens[change.class]),
    ...text(change.message.replaceAll('`', '')),
    ...(change.before === undefined ? [] : text(`- ${change.before}`, 'removed')),
    ...(change.after === undefined ? [] : text(`+ ${change.after}`, 'added')),
    ...text(`Why: ${change.reason}`),
    ...text(`For: ${toAudience(change.audience)}`, 'muted'),
  ];
}

function toAudience(audience: readonly Audience[]): string {
  return audience.map((who) => audienceNames[who]).join(', ');
}
