import { Box } from 'ink';
import { useMemo } from 'react';
import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';
import { toOperationId } from '../../server-runtime/openapi/operation-text.ts';
import type { Manifest } from '../project/manifest.ts';
import type { ProjectState } from '../project/project-state.ts';
import { ConfirmLine } from '../ui/confirm-line.tsx';
import { DetailsLayout, isWideBody } from '../ui/details-layout.tsx';
import { FilterLine } from '../ui/filter-line.tsx';
import { type FilterState, isFilterShown, noFilter } from '../ui/filter-state.ts';
import type { KeyBinding } from '../ui/key-table.ts';
import { fitLine } from '../ui/line-segments.ts';
import { LineView } from '../ui/line-view.tsx';
import { findSelected } from '../ui/list-state.ts';
import { LoadingLine } from '../ui/loading-line.tsx';
import { PromptLine } from '../ui/prompt-line.tsx';
import { ScreenFrame } from '../ui/screen-frame.tsx';
import { newTree, type TreeState, toTreeRows } from '../ui/tree-state.ts';
import { TreeView } from '../ui/tree-view.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { useMarks } from '../ui/use-marks.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { useBodySize, useUi } from '../ui/use-ui.ts';
import { toProblemLines, toSelectedLines } from './document-details.ts';
import { findAtPointer, findOperationId, findReference, readPointer } from './document-pointer.ts';
import { revealNode, toDocumentTree } from './document-tree.ts';
import { searchTree } from './search-tree.ts';
import { useDocument } from './use-document.ts';
import { useWriteDocument, type WriteDocument } from './use-write-document.ts';

type DocumentAction = 'follow' | 'return' | 'write' | 'copy' | 'copyAll' | 'show' | 'edit' | 'problems' | 'pane';

const bindings: readonly KeyBinding<DocumentAction>[] = [
  { action: 'follow', keys: ['enter'], help: 'To what it refers to, else open or close', hint: 'follow' },
  { action: 'return', keys: ['backspace', 'b'], help: 'Back from what it referred to' },
  { action: 'write', keys: ['w'], help: 'Write the document to a file', hint: 'write' },
  { action: 'copy', keys: ['y'], help: 'Copy what is selected', hint: 'copy' },
  { action: 'copyAll', keys: ['Y'], help: 'Copy the whole document' },
  { action: 'show', keys: ['s'], help: 'Show the capability', hint: 'show' },
  { action: 'edit', keys: ['e'], help: 'Open its source in $EDITOR', hint: 'edit' },
  { action: 'problems', keys: ['p'], help: 'The problems of the project' },
  { action: 'pane', keys: ['tab', 'shift+tab'], help: 'To the other pane', hint: 'pane' },
];

/** `capix openapi`: the document as the server has it now, to read, search, copy and write. */
export default function OpenApiScreen() {
  const { entry } = useScreen();
  const described = useDocument(entry.route.screen === 'openapi' ? entry.route.document : undefined);
  return <OpenApiView described={described} />;
}

/** The screen of a project that was loaded with its document. */
export function OpenApiView({ described }: { readonly described: ProjectState }) {
  const marks = useMarks(described);
  return (
    <ScreenFrame screen="openapi">
      <OpenApiBody manifest={described.manifest} marks={marks} />
    </ScreenFrame>
  );
}

interface OpenApiBodyProps {
  readonly manifest: Manifest | undefined;
  /** Keys of the capabilities that the last load brought or changed. */
  readonly marks: ReadonlySet<string>;
}

function OpenApiBody({ manifest, marks }: OpenApiBodyProps) {
  if (manifest === undefined) return <LoadingLine />;
  if (manifest.document === undefined) return <NoDocument manifest={manifest} />;
  return <DocumentView document={manifest.document} manifest={manifest} marks={marks} />;
}

/** The server would not start, and so there is nothing to describe. */
function NoDocument({ manifest }: { readonly manifest: Manifest }) {
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const lines = [
    [{ text: '  There is no document: a server with these routes would not start.', token: 'danger' as const }],
    [],
    ...toProblemLines(manifest.problems, columns - 4, symbols).map((line) => [{ text: '  ' }, ...line]),
  ];
  return (
    <Box flexDirection="column">
      {lines.slice(0, rows).map((line, row) => (
        <LineView key={row} line={fitLine(line, columns, symbols.ellipsis)} />
      ))}
    </Box>
  );
}

interface DocumentProps extends OpenApiBodyProps {
  readonly document: OpenApiDocument;
  readonly manifest: Manifest;
}

function DocumentView({ document, manifest, marks }: DocumentProps) {
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const view = useDocumentView({ document, manifest, marks });
  const { nodes, tree, setTree, selectedId, filter, setFilter, found, write } = view;
  const isAsking = write.state.kind === 'asking' || write.state.kind === 'confirming';
  const height = rows - (isAsking ? 2 : 0);
  const isWide = isWideBody({ columns });
  return (
    <Box flexDirection="column" height={rows}>
      <DetailsLayout
        columns={columns}
        rows={height}
        toDetails={(width) => {
          const problems = toProblemLines(manifest.problems, width, symbols);
          if (!isWide) return problems;
          const selected = toSelectedLines(document, selectedId, width);
          return problems.length === 0 ? selected : [...problems, [], ...selected];
        }}
        offset={view.offset}
        onOffset={view.setOffset}
        isInDetails={view.isInDetails}
      >
        {(size) => (
          <Box flexDirection="column" width={size.columns} height={size.rows}>
            <Box height={size.rows - (isFilterShown(filter) ? 1 : 0)}>
              <TreeView
                nodes={nodes}
                state={tree}
                onState={setTree}
                columns={size.columns}
                rows={size.rows - (isFilterShown(filter) ? 1 : 0)}
                title="Document"
                isFocused={!view.isInDetails}
                empty="Nothing in the document has that."
              />
            </Box>
            <FilterLine
              state={filter}
              onState={setFilter}
              columns={size.columns}
              count={found === undefined ? '' : found.count === 1 ? '1 place' : `${found.count} places`}
              placeholder="words: items 400"
              isActive={!view.isInDetails && !isAsking}
            />
          </Box>
        )}
      </DetailsLayout>
      <WriteLines write={write} columns={columns} />
    </Box>
  );
}

function WriteLines({ write, columns }: { readonly write: WriteDocument; readonly columns: number }) {
  const { state } = write;
  if (state.kind === 'confirming') {
    return (
      <ConfirmLine
        text={`${state.path} exists.`}
        yes="replace it"
        no="keep it"
        onYes={write.replace}
        onNo={write.keep}
        columns={columns}
      />
    );
  }
  if (state.kind !== 'asking') return null;
  return (
    <PromptLine
      label="Write to"
      state={state.field}
      onState={write.type}
      onEnter={write.enter}
      onCancel={write.cancel}
      columns={columns}
      note={
        state.problem === undefined
          ? { text: 'JSON, from the folder where capix was started', isProblem: false }
          : { text: state.problem, isProblem: true }
      }
    />
  );
}

/** What the screen keeps, and what its keys do to it. */
function useDocumentView({ document, manifest, marks }: DocumentProps) {
  const { terminal, copy, go, edit, notify } = useScreen();
  const { symbols } = useUi();
  const [whole, setWhole] = useKept('tree', newTree);
  const [narrowed, setNarrowed] = useKept('narrowed', newTree);
  const [filter, setFilter] = useKept('filter', noFilter);
  const [trail, setTrail] = useKept<readonly string[]>('trail', []);
  const [offset, setOffset] = useKept('offset', 0);
  const [isInDetails, setIsInDetails] = useKept('isInDetails', false);
  const all = useMemo(
    () => toDocumentTree(document, { symbols, changedIds: new Set([...marks].map(toOperationId)) }),
    [document, symbols, marks],
  );
  const query = filter.field.text.trim();
  const found = useMemo(() => (query === '' ? undefined : searchTree(all, query)), [all, query]);
  const [nodes, tree] = found ? [found.nodes, narrowed] : [all, whole];
  const rows = toTreeRows(nodes, tree.toggled);
  const selectedId = findSelected(rows, tree.list, ({ node }) => node.id)?.node.id;
  const write = useWriteDocument({ terminal, document, onWritten: (path) => notify(`Wrote ${path}`) });
  const setTree = (state: TreeState): void => {
    setOffset(0);
    (found ? setNarrowed : setWhole)(state);
  };
  const reveal = (id: string): void => {
    setOffset(0);
    setFilter(noFilter);
    setWhole(revealNode(whole, all, id));
  };
  const follow = (id: string): void => {
    const target = findReference(findAtPointer(document, id));
    if (target === undefined) return setTree(toggleNode(tree, id));
    setTrail([...trail, id]);
    reveal(target);
  };
  const capability = manifest.capabilities.find(
    ({ key }) => selectedId !== undefined && toOperationId(key) === findOperationId(document, selectedId),
  );
  useKeys<DocumentAction>({
    title: 'OpenAPI',
    bindings,
    isActive: write.state.kind === 'closed',
    onAction: (action) => {
      const id = selectedId ?? '#/paths';
      const origin = trail.at(-1);
      if (action === 'follow') follow(id);
      else if (action === 'return' && origin !== undefined) {
        setTrail(trail.slice(0, -1));
        reveal(origin);
      } else if (action === 'write') write.open();
      else if (action === 'copyAll') copy(JSON.stringify(document, undefined, 2), 'the document');
      else if (action === 'copy') copy(toCopied(document, id), readPointer(id).at(-1) ?? 'it');
      else if (action === 'problems') go({ screen: 'check' });
      else if (action === 'pane') setIsInDetails(!isInDetails);
      else if (action === 'edit') edit(capability?.source);
      else if (action === 'show' && capability) go({ screen: 'show', key: capability.key });
      else if (action === 'show') notify('Select an operation, or what is in one');
    },
  });
  return {
    nodes,
    tree,
    setTree,
    selectedId,
    filter,
    setFilter: (next: FilterState) => {
      setFilter(next);
      if (next.field.text !== filter.field.text) setNarrowed(newTree);
      // Everything is shown again around what was found.
      if (next.field.text === '' && query !== '' && selectedId !== undefined)
        setWhole(revealNode(whole, all, selectedId));
    },
    found,
    write,
    offset,
    setOffset,
    isInDetails,
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
