import { useMemo } from 'react';
import type { OpenApiDocument } from '../../server-runtime/http/openapi-document.ts';
import { toOperationId } from '../../server-runtime/openapi/operation-id.ts';
import { findAtPointer, parsePointer } from '../document/schema-json.ts';
import { toBindings } from '../kit/actions.ts';
import { useKept } from '../kit/use-kept.ts';
import { useKeys } from '../kit/use-keys.ts';
import { type Rows, useRows } from '../kit/use-rows.ts';
import { type Listed, toCapabilities } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { useDetails } from '../screens/use-details.ts';
import { useScreen } from '../screens/use-screen.ts';
import { useWriteFile } from '../screens/use-write-file.ts';
import { toDocumentText } from './document-text.ts';
import { toDocumentTree } from './document-tree.ts';
import { findOperationId, findReference } from './pointer-part.ts';

export interface DocumentProps {
  readonly document: OpenApiDocument;
  readonly manifest: Manifest;
  /** Keys of the capabilities that the last load brought or changed. */
  readonly marks: ReadonlySet<string>;
}

const bindings = toBindings(['go', 'backspace', 'write', 'copy', 'show', 'edit', 'pane'], {
  go: { help: 'Follow the reference, or open or close the row', hint: 'follow' },
  backspace: { help: 'Go back from the reference' },
  write: { help: 'Write the document to a file' },
  edit: { help: 'Open the source of the capability in $EDITOR' },
});

/** The state of the screen, and what its keys do to it. */
export function useDocumentView(props: DocumentProps) {
  const { notify } = useScreen();
  const details = useDetails();
  const { document, marks } = props;
  const changedIds = useMemo(() => new Set([...marks].map(toOperationId)), [marks]);
  const all = useMemo(() => toDocumentTree(document, { changedIds }), [document, changedIds]);
  const rows = useRows(all, 'document');
  const list: Rows = {
    ...rows,
    onState: (state) => {
      details.rewind();
      rows.onState(state);
    },
  };
  const write = useWriteFile({
    toText: () => toDocumentText(props.document),
    path: 'openapi.json',
    note: 'JSON, from the folder where capix was started',
    root: props.manifest.project.root,
    onWritten: (path) => notify(`Wrote ${path}`),
  });
  const capability = useSelectedCapability(props, list.selected?.id);
  const run = useSelectionActions(props, { list, capability });
  useKeys({
    title: 'OpenAPI',
    bindings,
    onAction: (action) => {
      if (action === 'write') write();
      else if (action === 'pane') details.toggle();
      else run(action);
    },
  });
  return { list, capability, details };
}

/** The capability of the operation that is selected, or that the selection is in. */
function useSelectedCapability({ document, manifest }: DocumentProps, selectedId = ''): Listed | undefined {
  const byOperationId = useMemo(
    () => new Map(toCapabilities(manifest).map((capability) => [toOperationId(capability.key), capability])),
    [manifest],
  );
  return byOperationId.get(findOperationId(document, selectedId) ?? '');
}

interface Selection {
  readonly list: Rows;
  /** The capability that the selection belongs to. */
  readonly capability: Listed | undefined;
}

/** Acts on the selected row as the keys say. */
function useSelectionActions({ document }: DocumentProps, { list, capability }: Selection) {
  const { copy, go, edit, notify } = useScreen();
  const [trail, setTrail] = useKept<readonly string[]>('trail', []);
  const selectedId = list.selected?.id ?? '#/paths';
  const reveal = (id: string): void => list.reveal(id, toPointersAround(id));
  return (action: 'go' | 'backspace' | 'copy' | 'show' | 'edit'): void => {
    switch (action) {
      case 'go': {
        const target = findReference(findAtPointer(document, selectedId));
        if (target === undefined) return list.toggle(selectedId);
        setTrail([...trail, selectedId]);
        return reveal(target);
      }
      case 'backspace': {
        const origin = trail.at(-1);
        setTrail(trail.slice(0, -1));
        return origin === undefined ? undefined : reveal(origin);
      }
      case 'copy':
        return copy(toCopied(document, selectedId), parsePointer(selectedId).at(-1) ?? 'it');
      case 'edit':
        return edit(capability?.facts.source);
      case 'show':
        if (capability) go({ screen: 'show', key: capability.key });
        else notify('Select an operation or a part of one');
    }
  };
}

/** The pointers of what a place is in: `#/a`, `#/a/b` for `#/a/b/c`. */
function toPointersAround(id: string): readonly string[] {
  const parts = id.split('/');
  return parts.slice(2).map((_, index) => parts.slice(0, index + 2).join('/'));
}

function toCopied(document: OpenApiDocument, id: string): string {
  const value = findAtPointer(document, id);
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}
