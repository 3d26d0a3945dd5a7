import { useMemo } from 'react';
import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';
import { toOperationId } from '../../server-runtime/openapi/operation-id.ts';
import { findAtPointer, recordOf } from '../document/schema-json.ts';
import { useRows } from '../kit/use-rows.ts';
import { useMemory } from '../kit/use-ui.ts';
import { type Manifest, toCapabilities } from '../manifest/manifest.ts';
import { useRowActions } from '../screens/use-row-actions.ts';
import { useNavigation, useServices } from '../screens/use-screen.ts';
import { useWriteFile } from '../screens/use-write-file.ts';
import { toDocumentText } from '../written/document-text.ts';
import { findPointer, toDocumentTree } from './document-tree.ts';

export interface DocumentProps {
  readonly document: OpenApiDocument;
  readonly manifest: Manifest;
  /** Keys of the capabilities that the last load brought or changed. */
  readonly marks: ReadonlySet<string>;
}

/** The state of the screen, and what its keys do to it. */
export function useDocumentView({ document, manifest, marks }: DocumentProps) {
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
