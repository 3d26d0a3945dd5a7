import { toLineText } from '../line/line.ts';
import { hasWords } from '../rows/row.ts';
import type { TreeNode } from './tree-state.ts';

/** The nodes whose line a query finds, with what they are in, which stands open; an empty query finds all. */
export function filterTree<Node extends TreeNode>(nodes: readonly Node[], query: string): readonly Node[] {
  if (query.trim() === '') return nodes;
  const all = toAllNodes(nodes);
  const found = new Set(all.filter(({ line }) => hasWords(toLineText(line), query)));
  const keep = (siblings: readonly TreeNode[]): readonly TreeNode[] =>
    siblings.flatMap((node): readonly TreeNode[] => {
      const children = keep(node.children ?? []);
      if (children.length > 0) return [{ ...node, children, isOpen: true }];
      return found.has(node) ? [{ ...node, isOpen: false }] : [];
    });
  return keep(nodes) as readonly Node[];
}

/** The same array for the same nodes: each letter that is typed searches it. */
function toAllNodes(nodes: readonly TreeNode[]): readonly TreeNode[] {
  let all = known.get(nodes);
  if (all === undefined) {
    all = [];
    addNodes(all, nodes);
    known.set(nodes, all);
  }
  return all;
}

const known = new WeakMap<readonly TreeNode[], TreeNode[]>();

function addNodes(all: TreeNode[], nodes: readonly TreeNode[]): void {
  for (const node of nodes) {
    all.push(node);
    addNodes(all, node.children ?? []);
  }
}
