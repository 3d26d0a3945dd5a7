import { useMemo } from 'react';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { type TreeNode, type TreeRow, toTreeRows } from '../kit/tree/tree-state.ts';
import { type FilteredTree, useFilteredTree } from '../kit/tree/use-filtered-tree.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { hasRoute, NO_ROUTE, toListed } from '../manifest/operations/listed.ts';
import { useMarkedItems } from '../screens/marks/use-marked-items.ts';
import { useScreen } from '../screens/use-screen.ts';
import { findServerAddress, type ServerAddress, useServerAddress } from '../screens/use-server-address.ts';
import type { ShowNode } from './show-node.ts';
import { toSampleCurl, toShowTree } from './show-tree.ts';

type ShowAction = 'call' | 'follow' | 'copy' | 'curl' | 'edit' | 'next' | 'previous';

const bindings: readonly KeyBinding<ShowAction>[] = [
  { action: 'call', keys: ['c'], help: 'Call it', hint: 'call' },
  { action: 'follow', keys: ['enter'], help: 'Go to the capability that the line names, or call this one' },
  { action: 'copy', keys: ['y'], help: 'Copy what is selected', hint: 'copy' },
  { action: 'curl', keys: ['u'], help: 'Copy it as curl', hint: 'curl' },
  { action: 'edit', keys: ['e'], help: 'Open the source in $EDITOR', hint: 'edit' },
  { action: 'next', keys: [']'], help: 'The next capability', hint: 'next' },
  { action: 'previous', keys: ['['], help: 'The previous capability' },
];

export interface ShownCapability {
  readonly capabilityKey: string;
  readonly manifest: Manifest;
}

interface ShowView {
  readonly tree: FilteredTree<ShowNode>;
  readonly isMarked: (row: TreeRow) => boolean;
}

/** The state of the screen, and what its keys do to it. */
export function useShow({ capabilityKey, manifest }: ShownCapability, columns: number): ShowView {
  const { go, replace, copy, edit, notify, terminal } = useScreen();
  const { root } = manifest.project;
  const address = useServerAddress(root);
  const capability = expectCapability(capabilityKey, toListed(manifest));
  const isRoute = hasRoute(capability);
  const nodes = useMemo(
    () => toShowTree(capability, { manifest, address, width: columns }),
    [capability, manifest, address, columns],
  );
  const tree = useFilteredTree<ShowNode>(nodes, 'tree');
  const { selected } = tree;
  const marked = useMarkedItems(
    toTreeRows(nodes, new Set()).map(({ node }) => node),
    toFactText,
  );
  useKeys<ShowAction>({
    title: 'Capability',
    bindings,
    onAction: (action) => {
      switch (action) {
        case 'follow':
          if (selected?.leadsTo !== undefined) return go({ screen: 'show', key: selected.leadsTo });
          return isRoute ? go({ screen: 'call', key: capabilityKey }) : notify(NO_ROUTE);
        case 'call':
          return isRoute ? go({ screen: 'call', key: capabilityKey }) : notify(NO_ROUTE);
        case 'copy': {
          const text = selected?.copied ?? capabilityKey;
          return copy(text, text.split('\n')[0] ?? text);
        }
        case 'curl':
          if (!isRoute) return notify(NO_ROUTE);
          return void findServerAddress(root, terminal).then((found) =>
            copy(toSampleCurl(capability, found), toCurlText(found)),
          );
        case 'edit':
          return edit(capability.source);
        case 'next':
        case 'previous':
          return replace({ screen: 'show', key: toNeighbour(manifest, capabilityKey, action === 'next' ? 1 : -1) });
      }
    },
  });
  return { tree, isMarked: ({ node }) => marked.has(toFactText(node)) };
}

/** The curl command in the notice of a copy. */
function toCurlText({ url, isRunning }: ServerAddress): string {
  return isRunning === true ? 'the curl command' : `the curl command for ${url}, where no server runs,`;
}

/** The text of a line however wide the window is; nothing of the source, whose lines move with every save. */
function toFactText({ id, copied = '' }: TreeNode): string {
  return id.startsWith('Source') ? '' : copied;
}

function toNeighbour(manifest: Manifest, key: string, step: number): string {
  const keys = [...new Set(toListed(manifest).map((each) => each.key))];
  return keys[(keys.indexOf(key) + step + keys.length) % keys.length] ?? key;
}
