import type { IgnoredChange, JudgedDiff } from '../contract/apply-settings.ts';
import {
  type Audience,
  type CapabilityChange,
  type ChangeClass,
  type ContractChange,
  type ContractDiff,
  changeClasses,
  everybody,
  worstClass,
} from '../contract/contract-change.ts';
import { type Line, markMatches } from '../kit/line/line.ts';
import { filterFuzzily } from '../kit/list/filter-fuzzily.ts';
import type { Symbols, Token } from '../kit/theme/tokens.ts';
import type { TreeNode } from '../kit/tree/tree-state.ts';
import { isWorthALine } from './diff-text.ts';

/** The part of a difference that is shown. */
export interface DiffQuery {
  /** The words that are no class and no audience, in which keys are looked for. */
  readonly text: string;
  readonly class?: ChangeClass | undefined;
  readonly audience?: Audience | undefined;
}

/**
 * The words of a filter: `breaking agents orders` are the changes of this class that agents notice, of capabilities
 * with such a key.
 */
export function toDiffQuery(filter: string): DiffQuery {
  const words = filter.split(/\s+/).filter((word) => word !== '');
  const type = changeClasses.find((each) => words.includes(each));
  const audience = audiences.find((each) => words.includes(each));
  return { text: words.filter((word) => word !== type && word !== audience).join(' '), class: type, audience };
}

const audiences: readonly Audience[] = [...everybody, 'jobs'];

export interface DiffStyle {
  readonly symbols: Symbols;
  /** Keys of the capabilities that the last load brought or changed. */
  readonly marks: ReadonlySet<string>;
  /**
   * Whether a class has a sign in place of its name, and a change does not say its side: the details do. @default false
   */
  readonly isBrief?: boolean;
}

/** A node of the tree, and the change or the capability that it shows; the three groups show neither. */
export interface DiffNode extends TreeNode {
  readonly capability?: CapabilityChange;
  readonly change?: ContractChange;
  readonly children?: readonly DiffNode[];
}

const titles = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const;

export const classTokens = { breaking: 'danger', risky: 'warning', safe: 'success' } as const satisfies Record<
  ChangeClass,
  Token
>;

/**
 * The difference as a tree: what was removed, changed and added; in these the capabilities, in them what changed.
 * What differs for all of them stands first, and what the project ignores last.
 */
export function toDiffTree({ diff, ignored }: JudgedDiff, query: DiffQuery, style: DiffStyle): readonly DiffNode[] {
  return [
    ...toServerNodes(diff, query, style),
    ...kinds.flatMap((kind) => toGroupNodes(kind, diff, { query, style })),
    ...toIgnoredNodes(ignored, query, style),
  ];
}

/** The changes that the project accepts stand last, each with the reason for it. */
function toIgnoredNodes(ignored: readonly IgnoredChange[], query: DiffQuery, style: DiffStyle): readonly DiffNode[] {
  const wanted = ignored.filter(({ change }) => isWanted(change, query));
  const found = filterFuzzily(wanted, query.text, { getText: ({ key }) => key ?? 'server' });
  if (found.length === 0) return [];
  const children = found.map(({ item: { key = 'server', change, reason }, matches }): DiffNode => {
    const line = [...markMatches(key, { matches }), { text: `  ${reason}`, token: 'muted' } as const];
    const id = `ignored/${key}/${change.at}/${change.rule}`;
    const inner = { id: `${id}/change`, line: toChangeLine(change, style), copied: toCopied(change), change };
    return { id, line, copied: `${key}: ${reason}`, children: [inner] };
  });
  const line: Line = [
    { text: 'Ignored', token: 'muted' },
    { text: ` (${found.length})`, token: 'muted' },
  ];
  return [{ id: 'ignored', line, children }];
}

const kinds = ['removed', 'changed', 'added'] as const;

interface NodeOptions {
  readonly query: DiffQuery;
  readonly style: DiffStyle;
}

function toGroupNodes(
  kind: (typeof kinds)[number],
  diff: ContractDiff,
  { query, style }: NodeOptions,
): readonly DiffNode[] {
  const capabilities = diff[kind].flatMap((capability) => toWanted(capability, query));
  const found = filterFuzzily(capabilities, query.text, { getText: ({ key }) => key });
  if (found.length === 0) return [];
  const width = Math.min(40, Math.max(...capabilities.map(({ key }) => key.length)));
  const children = found.map(({ item, matches }) => toCapabilityNode(item, { matches, width, style, group: kind }));
  const line: Line = [
    { text: titles[kind], token: kind },
    { text: ` (${found.length})`, token: 'muted' },
  ];
  return [{ id: kind, line, children }];
}

function toServerNodes({ server }: ContractDiff, query: DiffQuery, style: DiffStyle): readonly DiffNode[] {
  const wanted = query.text === '' ? server.filter((change) => isWanted(change, query)) : [];
  if (wanted.length === 0) return [];
  const children = wanted.map((change) => ({
    id: `server/${change.at}/${change.rule}`,
    line: toChangeLine(change, style),
    copied: toCopied(change),
    change,
  }));
  return [{ id: 'server', line: [{ text: 'Server', token: 'changed' }], children }];
}

/** The capability with the changes that are asked for; nothing where it has none. */
function toWanted(capability: CapabilityChange, query: DiffQuery): readonly CapabilityChange[] {
  if (query.class === undefined && query.audience === undefined) return [capability];
  const changes = capability.changes.filter((change) => isWanted(change, query));
  const isNew = capability.changes.length === 0 && (query.class ?? 'safe') === capability.class;
  return changes.length > 0 || isNew
    ? [{ ...capability, changes, class: worstClass(changes) ?? capability.class }]
    : [];
}

function isWanted(change: ContractChange, { class: wanted, audience }: DiffQuery): boolean {
  return (
    (wanted === undefined || change.class === wanted) && (audience === undefined || change.audience.includes(audience))
  );
}

interface CapabilityStyle {
  readonly matches: readonly number[];
  /** Columns of the key. */
  readonly width: number;
  readonly style: DiffStyle;
  /** The id of the group that it is in. */
  readonly group: string;
}

function toCapabilityNode(capability: CapabilityChange, { matches, width, style, group }: CapabilityStyle): DiffNode {
  const { key, route, changes } = capability;
  const token = style.marks.has(key) ? 'changed' : undefined;
  return {
    id: `${group}/${key}`,
    line: [
      toBadge(capability.class, style),
      ...markMatches(key.padEnd(width), { token, matches }),
      { text: `  ${route}`, token: 'muted' },
    ],
    copied: [`${key}  ${route}`, ...changes.map(toCopied)].join('\n'),
    capability,
    children: changes.filter(isWorthALine).map((change, index) => ({
      id: `${group}/${key}/${change.at} ${change.message} ${index}`,
      line: toChangeLine(change, style),
      copied: toCopied(change),
      capability,
      change,
    })),
  };
}

function toBadge(type: ChangeClass, { symbols, isBrief }: DiffStyle): Line[number] {
  const signs = { breaking: symbols.cross, risky: symbols.warning, safe: symbols.tick };
  return { text: isBrief ? `${signs[type]} ` : type.padEnd(10), token: classTokens[type] };
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
          { text: ` ${style.symbols.arrow} `, token: 'muted' as const },
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
