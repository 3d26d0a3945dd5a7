import { type Line, markMatches } from '../ui/line-segments.ts';
import type { TreeNode } from '../ui/tree-state.ts';

export interface FoundTree {
  /** What was found, and what it is in, which stands open. */
  readonly nodes: readonly TreeNode[];
  readonly count: number;
}

/**
 * The nodes that have all words of a query in their line, or the first ones in the lines of what they are in: `items 400` finds that answer of every
 * operation of items. What is in a found node is not searched.
 */
export function searchTree(nodes: readonly TreeNode[], query: string): FoundTree {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  const search = (siblings: readonly TreeNode[], missing: readonly string[]): readonly TreeNode[] =>
    siblings.flatMap((node) => {
      const text = toText(node.line);
      const left = missing.filter((word) => !text.includes(word));
      if (left.length === 0) {
        count++;
        return [withLine(node, markWords(node.line, missing))];
      }
      const children = search(node.children ?? [], left);
      if (children.length === 0) return [];
      return [{ id: node.id, line: markWords(node.line, missing), isOpen: true, children, copied: node.copied }];
    });
  return { nodes: search(nodes, words), count };
}

/** As it was, and closed. */
function withLine(node: TreeNode, line: Line): TreeNode {
  return {
    id: node.id,
    line,
    isOpen: false,
    get children() {
      return node.children ?? [];
    },
    get copied() {
      return node.copied;
    },
  };
}

function toText(line: Line): string {
  return line
    .map(({ text }) => text)
    .join('')
    .toLowerCase();
}

function markWords(line: Line, words: readonly string[]): Line {
  return line.flatMap(({ text, token }) => markMatches(text, { token, matches: findMatches(text, words) }));
}

function findMatches(text: string, words: readonly string[]): readonly number[] {
  const lower = text.toLowerCase();
  const matches = new Set<number>();
  for (const word of words) {
    for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length))
      for (let index = at; index < at + word.length; index++) matches.add(index);
  }
  return [...matches].toSorted((a, b) => a - b);
}
