import { useState } from 'react';
import type { OpenApiDocument } from '../../server-runtime/openapi/openapi-document.ts';
import { findAtPointer, parsePointer } from '../document/schema-json.ts';
import type { OpenApiValues } from '../flags/document-flags.ts';
import type { Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { type Row, toRowLine } from '../kit/row.ts';
import { wrapText } from '../kit/text.ts';
import { useBodySize } from '../kit/use-ui.ts';
import type { ProjectState } from '../load/project-state.ts';
import { ProjectStore } from '../load/project-store.ts';
import { useProjectStore } from '../load/use-project.ts';
import { RowsWithDetails } from '../screens/master-detail.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { useMarks } from '../screens/use-marks.ts';
import { useNavigation, useProject, useServices } from '../screens/use-screen.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { toOpenApiOptions } from '../written/document-text.ts';
import { type DocumentProps, useDocumentView } from './use-document-view.ts';

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
