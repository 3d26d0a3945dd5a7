import type { Line, Segment } from '../line/line.ts';
import type { TreeNode } from './tree-state.ts';

/** Below this depth nodes are closed. */
const OPEN_DEPTH = 5;
/** A longer text is cut in its line; copying gives all of it. */
const MAX_TEXT = 300;

/** A JSON value as a tree. Foreign text in it loses its escape sequences where it is drawn. */
export function toJsonTree(value: unknown, name = ''): readonly TreeNode[] {
  return [toNode(value, { name, id: '$', depth: 0 })];
}

interface Place {
  readonly name: string;
  readonly id: string;
  readonly depth: number;
}

function toNode(value: unknown, { name, id, depth }: Place): TreeNode {
  const label: Line = name === '' ? [] : [{ text: `${name}: ` }];
  const entries = toEntries(value);
  if (entries === undefined)
    return { id, line: [...label, toScalar(value)], copied: JSON.stringify(value, undefined, 2) };
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  let children: readonly TreeNode[] | undefined;
  return {
    id,
    line: [...label, { text: size, token: 'muted' }],
    isOpen: depth < OPEN_DEPTH,
    hasChildren: entries.length > 0,
    // Made when they are looked at: an answer can be large.
    get children() {
      return (children ??= entries.map(([key, child]) =>
        toNode(child, { name: key, id: `${id}/${key}`, depth: depth + 1 }),
      ));
    },
    get copied() {
      return JSON.stringify(value, undefined, 2);
    },
  };
}

function toEntries(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value);
}

function toScalar(value: unknown): Segment {
  if (typeof value === 'string') {
    const text = JSON.stringify(value);
    return { text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text, token: 'string' };
  }
  return { text: String(value), token: typeof value === 'number' ? 'number' : 'keyword' };
}
