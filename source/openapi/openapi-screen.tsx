import { useMemo, useState } from 'react';
import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';
import { toOperationId } from '../../server-runtime/openapi/operation-id.ts';
import { findAtPointer, parsePointer, recordOf } from '../document/schema-json.ts';
import type { OpenApiValues } from '../flags/document-flags.ts';
import type { Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { type Row, toRowLine } from '../kit/row.ts';
import { wrapText } from '../kit/text.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize, useMemory } from '../kit/use-ui.ts';
import type { ProjectState } from '../load/project-state.ts';
import { ProjectStore } from '../load/project-store.ts';
import { useProjectStore } from '../load/use-project.ts';
import { type Manifest, toCapabilities } from '../manifest/manifest.ts';
import { RowsWithDetails } from '../screens/master-detail.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { useMarks } from '../screens/use-marks.ts';
import { useRowActions } from '../screens/use-row-actions.ts';
import { useNavigation, useProject, useServices } from '../screens/use-screen.ts';
import { useWriteFile } from '../screens/use-write-file.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toDocumentText, toOpenApiOptions } from '../written/document-text.ts';
import { findPointer, toDocumentTree } from './document-tree.ts';

/** `capix openapi`: the document as the server has it now, to read, search, copy and write. */
export default function OpenApiScreen() {
  const { entry } = useNavigation();
  const described = useDocument(entry.route.screen === 'openapi' ? entry.route.options : undefined);
  return <OpenApiView described={described} />;
}

/** The screen of the open project and its document, which may be there before the rest of a large project is. */
export function OpenApiView({ described }: { readonly described: ProjectState }) {
  const { project } = useProject();
  const { manifest, failure } = described;
  const marks = useMarks(described);
  const document = manifest?.published;
  return (
    <ScreenFrame screen="openapi" failure={failure}>
      {manifest === undefined && <LoadingLine />}
      {manifest !== undefined && document === undefined && <NoDocument />}
      {manifest !== undefined && document !== undefined && (
        <DocumentView document={document} manifest={project.manifest ?? manifest} marks={marks} />
      )}
    </ScreenFrame>
  );
}

function NoDocument() {
  const { columns } = useBodySize();
  const text =
    'There is no document: a server with these routes would not start. The screen `check` lists why.';
  return wrapText(text, columns - 4).map((line) => (
    <LineView key={line} line={[{ text: `  ${line}`, token: 'danger' }]} />
  ));
}

interface DocumentProps {
  readonly document: OpenApiDocument;
  readonly manifest: Manifest;
  /** Keys of the capabilities that the last load brought or changed. */
  readonly marks: ReadonlySet<string>;
}

function DocumentView(props: DocumentProps) {
  const size = useBodySize();
  const { list, actions } = useDocumentView(props);
  // Changed rows have a colour of their own; without colours the sign tells.
  const isMarked = (row: Row): boolean =>
    toRowLine(row, size.columns).some(({ token }) => token === 'changed');
  return (
    <RowsWithDetails
      {...size}
      list={list}
      belowShare={0}
      toDetails={(columns) => toSelectedLines(props.document, list.selected?.id, columns)}
      actions={actions}
      marked={new Set(list.seen.flatMap(({ row }) => (isMarked(row) ? [row.id] : [])))}
      noMatch="Nothing in the document matches."
      placeholder="words: items 400"
    />
  );
}

/** The state of the screen, and what its keys do to it. */
function useDocumentView({ document, manifest, marks }: DocumentProps) {
  const { notify, edit } = useServices();
  const { go } = useNavigation();
  const changedIds = useMemo(() => new Set([...marks].map(toOperationId)), [marks]);
  const rows = useMemo(() => toDocumentTree(document, { changedIds }), [document, changedIds]);
  const list = useRows(rows, 'document');
  const [trail, setTrail] = useMemory<readonly string[]>('trail', []);
  const capabilities = useMemo(
    () =>
      new Map(
        toCapabilities(manifest).map((capability) => [toOperationId(capability.key), capability]),
      ),
    [manifest],
  );
  const write = useWriteFile({
    toText: () => toDocumentText(document),
    path: 'openapi.json',
    note: 'JSON, from the folder where capix was started',
    root: manifest.project.root,
    onWritten: (path) => notify(`Wrote ${path}`),
  });
  const selectedId = list.selected?.id ?? '#/paths';
  const operation = selectedId.split('/').slice(0, 4).join('/');
  const capability = capabilities.get(
    String(recordOf(findAtPointer(document, operation))['operationId']),
  );
  const follow = (target: string | undefined, next: readonly string[]): void => {
    if (target === undefined) return;
    setTrail(next);
    list.reveal(target, toPointersAround(target));
  };
  const row = useRowActions(list);
  const target = findPointer(findAtPointer(document, selectedId));
  const actions = {
    go: {
      help: 'Follow the reference, or open or close the row',
      hint: 'follow',
      run: target === undefined ? row.go.run : () => follow(target, [...trail, selectedId]),
    },
    backspace: {
      help: 'Go back from the reference',
      run: () => follow(trail.at(-1), trail.slice(0, -1)),
    },
    write: { help: 'Write the document to a file', run: write },
    copy: row.copy,
    show: {
      off: capability === undefined ? 'Select an operation or a part of one' : undefined,
      run: () => capability && go({ screen: 'show', key: capability.key }),
    },
    edit: {
      help: 'Open the source of the capability in $EDITOR',
      run: () => edit(capability?.facts.source),
    },
  };
  return { list, actions };
}

/** The pointers of what a place is in: `#/a`, `#/a/b` for `#/a/b/c`. */
function toPointersAround(id: string): readonly string[] {
  const parts = id.split('/');
  return parts.slice(2).map((_, index) => parts.slice(0, index + 2).join('/'));
}

/** The selected part, as it is written in the document. The paths or components whole are too long to read. */
function toSelectedLines(
  document: OpenApiDocument,
  pointer: string | undefined,
  columns: number,
): readonly Line[] {
  if (pointer === undefined) return [];
  const title: Line = [{ text: parsePointer(pointer).join(' ').trim(), token: 'title' }];
  if (/^#\/(paths|components)(\/(schemas|responses))?$/.test(pointer)) return [title];
  const text = JSON.stringify(findAtPointer(document, pointer), undefined, 2) ?? '';
  return [title, ...wrapText(stripControl(text), columns).map((line): Line => [{ text: line }])];
}

/** The document, made anew after every save. The other facts are those of the open project. */
function useDocument(options: Partial<OpenApiValues> = {}): ProjectState {
  const { terminal, config, envFile } = useServices();
  const [store] = useState(() => {
    const workingDirectory = terminal.workingDirectory();
    return new ProjectStore({
      config,
      envFile,
      workingDirectory,
      hasSchemas: false,
      published: toOpenApiOptions(options),
    });
  });
  return useProjectStore(store);
}
