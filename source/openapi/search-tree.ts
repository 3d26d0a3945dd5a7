import { type Line, markMatches } from '../kit/line/line.ts';
import type { TreeNode } from '../kit/tree/tree-state.ts';
import type { DocumentNode } from './document-tree.ts';

export interface FoundTree {
  /** Shows what was found, and what it is in, which stands open. */
  readonly nodes: readonly TreeNode[];
  readonly count: number;
}

/**
 * The nodes that have all words of a query in their line, or the first ones in the lines of what they are in: `items 400` finds that answer of every
 * operation of items. What is in a found node is not searched,
 * but the sections of the document are found only where nothing in them is.
 */
export function searchTree(nodes: readonly DocumentNode[], query: string): FoundTree {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  const search = (siblings: readonly DocumentNode[], missing: readonly string[]): readonly TreeNode[] =>
    siblings.flatMap((node) => {
      const text = toText(node.line);
      const left = missing.filter((word) => !text.includes(word));
      const isFound = left.length === 0;
      if (isFound && !isSection(node)) return found(node, missing);
      const inside = isFound ? missing : left;
      if (isEntry(node) && !inside.every((word) => mayContain(node, word))) return [];
      const children = search(node.children ?? [], inside);
      if (children.length === 0) return isFound ? found(node, missing) : [];
      return [
        {
          id: node.id,
          line: markWords(node.line, missing),
          isOpen: true,
          children,
          get copied() {
            return node.copied;
          },
        },
      ];
    });
  const found = (node: TreeNode, missing: readonly string[]): readonly TreeNode[] => {
    count++;
    return [withLine(node, markWords(node.line, missing))];
  };
  return { nodes: search(nodes, words), count };
}

/** The paths, the components, a kind of components. */
function isSection({ id }: TreeNode): boolean {
  return /^#\/[^/]+$|^#\/components\/[^/]+$/.test(id);
}

/** An operation or a component: there are many, and most of them have nothing of what is searched. */
function isEntry({ id }: TreeNode): boolean {
  return /^#\/(paths|components)\/[^/]+\/[^/]+$/.test(id);
}

/** A line has other signs around its words than the JSON that it stands for. */
function mayContain({ allText = '' }: DocumentNode, word: string): boolean {
  return word.split(/[^\p{L}\p{N}]+/u).every((part) => allText.includes(part));
}

/** As it was, and closed. */
function withLine(node: TreeNode, line: Line): TreeNode {
  return {
    id: node.id,
    line,
    isOpen: false,
    hasChildren: node.hasChildren ?? (node.children ?? []).length > 0,
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
