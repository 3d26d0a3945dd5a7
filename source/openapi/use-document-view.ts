import { useMemo } from 'react';
import type { OpenApiDocument } from '../../server-runtime/http/document/openapi-document.ts';
import { toOperationId } from '../../server-runtime/openapi/operation-id.ts';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { noFilter } from '../kit/list/filter-state.ts';
import { findSelected } from '../kit/list/list-state.ts';
import { useUi } from '../kit/theme/use-ui.ts';
import { newTree, type TreeState, toTreeRows } from '../kit/tree/tree-state.ts';
import type { FilteredTree } from '../kit/tree/use-filtered-tree.ts';
import type { Manifest, ManifestCapability } from '../manifest/manifest.ts';
import { type Details, paneBinding, useDetails } from '../screens/use-details.ts';
import { useScreen } from '../screens/use-screen.ts';
import { useWriteFile } from '../screens/use-write-file.ts';
import { findAtPointer, parsePointer } from '../shape/read/find-at-pointer.ts';
import { toDocumentText } from './document-text.ts';
import { revealNode, toDocumentTree } from './document-tree.ts';
import { findOperationId, findReference } from './pointer-part.ts';
import { searchTree } from './search-tree.ts';

export interface DocumentProps {
  readonly document: OpenApiDocument;
  readonly manifest: Manifest;
  /** Keys of the capabilities that the last load brought or changed. */
  readonly marks: ReadonlySet<string>;
}

type DocumentAction = 'follow' | 'return' | 'write' | 'copy' | 'copyAll' | 'show' | 'edit' | 'problems' | 'pane';

const bindings: readonly KeyBinding<DocumentAction>[] = [
  { action: 'follow', keys: ['enter'], help: 'Follow the reference, or open or close the node', hint: 'follow' },
  { action: 'return', keys: ['backspace', 'b'], help: 'Go back from the reference' },
  { action: 'write', keys: ['w'], help: 'Write the document to a file', hint: 'write' },
  { action: 'copy', keys: ['y'], help: 'Copy what is selected', hint: 'copy' },
  { action: 'copyAll', keys: ['Y'], help: 'Copy the whole document' },
  { action: 'show', keys: ['s'], help: 'Show the capability', hint: 'show' },
  { action: 'edit', keys: ['e'], help: 'Open its source in $EDITOR', hint: 'edit' },
  { action: 'problems', keys: ['!'], help: 'The problems of the project' },
  paneBinding,
];

/** The state of the screen, and what its keys do to it. */
export function useDocumentView(props: DocumentProps) {
  const { notify } = useScreen();
  const details = useDetails();
  const { tree, reveal } = useDocumentTree(props, details);
  const write = useWriteFile({
    toText: () => toDocumentText(props.document),
    path: 'openapi.json',
    note: 'JSON, from the folder where capix was started',
    root: props.manifest.project.root,
    onWritten: (path) => notify(`Wrote ${path}`),
  });
  const capability = useSelectedCapability(props, tree.selected?.id);
  const run = useSelectionActions(props, { tree, reveal, capability });
  useKeys<DocumentAction>({
    title: 'OpenAPI',
    bindings,
    onAction: (action) => {
      if (action === 'write') write();
      else if (action === 'pane') details.toggle();
      else run(action);
    },
  });
  return { tree, capability, details };
}

/** The tree, whole or narrowed to what was searched. */
function useDocumentTree({ document, marks }: DocumentProps, { rewind }: Details) {
  const { symbols } = useUi();
  const [whole, setWhole] = useKept('tree', newTree);
  const [narrowed, setNarrowed] = useKept('narrowed', newTree);
  const [filter, setFilter] = useKept('filter', noFilter);
  const all = useMemo(
    () => toDocumentTree(document, { symbols, changedIds: new Set([...marks].map(toOperationId)) }),
    [document, symbols, marks],
  );
  const query = filter.field.text.trim();
  const found = useMemo(() => (query === '' ? undefined : searchTree(all, query)), [all, query]);
  const [nodes, state] = found ? [found.nodes, narrowed] : [all, whole];
  const selected = findSelected(toTreeRows(nodes, state.toggled), state.list, ({ node }) => node.id)?.node;
  const tree: FilteredTree = {
    nodes,
    state,
    selected,
    onState: (next) => {
      rewind();
      (found ? setNarrowed : setWhole)(next);
    },
    filter,
    onFilter: (next) => {
      setFilter(next);
      if (next.field.text !== filter.field.text) setNarrowed(newTree);
      // Everything is shown again around what was found.
      if (next.field.text === '' && query !== '' && selected !== undefined)
        setWhole(revealNode(whole, all, selected.id));
    },
    count: found === undefined ? '' : found.count === 1 ? '1 place' : `${found.count} places`,
  };
  const reveal = (id: string): void => {
    rewind();
    setFilter(noFilter);
    setWhole(revealNode(whole, all, id));
  };
  return { tree, reveal };
}

/** The capability of the operation that is selected, or that the selection is in. */
function useSelectedCapability({ document, manifest }: DocumentProps, selectedId = ''): ManifestCapability | undefined {
  const { capabilities } = manifest;
  const byOperationId = useMemo(
    () => new Map(capabilities.map((capability) => [toOperationId(capability.key), capability])),
    [capabilities],
  );
  return byOperationId.get(findOperationId(document, selectedId) ?? '');
}

interface Selection {
  readonly tree: FilteredTree;
  /** The capability that the selection belongs to. */
  readonly capability: ManifestCapability | undefined;
  /** Selects a node, and opens what it is in. */
  readonly reveal: (id: string) => void;
}

/** Acts on the selected node as the keys say. */
function useSelectionActions({ document }: DocumentProps, { tree, capability, reveal }: Selection) {
  const { copy, go, edit, notify } = useScreen();
  const [trail, setTrail] = useKept<readonly string[]>('trail', []);
  const selectedId = tree.selected?.id ?? '#/paths';
  return (action: Exclude<DocumentAction, 'write' | 'pane'>): void => {
    switch (action) {
      case 'follow': {
        const target = findReference(findAtPointer(document, selectedId));
        if (target === undefined) return tree.onState(toggleNode(tree.state, selectedId));
        setTrail([...trail, selectedId]);
        return reveal(target);
      }
      case 'return': {
        const origin = trail.at(-1);
        setTrail(trail.slice(0, -1));
        return origin === undefined ? undefined : reveal(origin);
      }
      case 'copyAll':
        return copy(JSON.stringify(document, undefined, 2), 'the document');
      case 'copy':
        return copy(toCopied(document, selectedId), parsePointer(selectedId).at(-1) ?? 'it');
      case 'problems':
        return go({ screen: 'check' });
      case 'edit':
        return edit(capability?.source);
      case 'show':
        if (capability) go({ screen: 'show', key: capability.key });
        else notify('Select an operation or a part of one');
    }
  };
}

function toggleNode(state: TreeState, id: string): TreeState {
  const toggled = new Set(state.toggled);
  if (!toggled.delete(id)) toggled.add(id);
  return { ...state, toggled };
}

function toCopied(document: OpenApiDocument, id: string): string {
  const value = findAtPointer(document, id);
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}
