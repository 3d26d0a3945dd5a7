import { Box } from 'ink';
import { useMemo } from 'react';
import type { OpenApiOptions } from '../../server-runtime/openapi/generate-openapi.ts';
import { toBindings } from '../kit/actions.ts';
import type { Line } from '../kit/line.ts';
import { SCROLL_COLUMNS } from '../kit/list-state.ts';
import { type Row, toRowLine } from '../kit/row.ts';
import { RowsView, ScrollView } from '../kit/rows-view.tsx';
import { wrapText } from '../kit/text.ts';
import { useKept } from '../kit/use-kept.ts';
import { useKeys } from '../kit/use-keys.ts';
import { useBodySize } from '../kit/use-ui.ts';
import type { ProjectState } from '../load/project-state.ts';
import { useProject } from '../load/use-project.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Problem } from '../manifest/problem.ts';
import { isWideBody, MasterDetail } from '../screens/master-detail.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { toDocumentProblems, toProblemLines, toSelectedLines } from './document-problems.ts';
import { type DocumentProps, useDocumentView } from './use-document-view.ts';

/** `capix openapi`: the document as the server has it now, to read, search, copy and write. */
export default function OpenApiScreen() {
  const { entry } = useScreen();
  const described = useDocument(entry.route.screen === 'openapi' ? entry.route.document : undefined);
  return <OpenApiView described={described} />;
}

/** The screen of the open project and its document, which may be there before the rest of a large project is. */
export function OpenApiView({ described }: { readonly described: ProjectState }) {
  return (
    <ScreenFrame screen="openapi" failure={described.failure}>
      <OpenApiBody described={described.manifest} />
    </ScreenFrame>
  );
}

function OpenApiBody({ described }: { readonly described: Manifest | undefined }) {
  const { project, marks } = useScreen();
  if (described === undefined) return <LoadingLine />;
  const manifest = project.manifest ?? described;
  if (described.published === undefined) return <NoDocument manifest={manifest} />;
  return <DocumentView document={described.published} manifest={manifest} marks={marks} />;
}

/** Columns before what is said in place of a document. */
const MARGIN = 2;

/** The server would not start, and so there is nothing to describe. */
function NoDocument({ manifest }: { readonly manifest: Manifest }) {
  const { columns, rows } = useBodySize();
  const { problems } = manifest;
  const place = useDocumentProblems(problems);
  const room = columns - MARGIN - SCROLL_COLUMNS;
  const lines: readonly Line[] = [
    ...wrapText('There is no document: a server with these routes would not start.', room).map(
      (text): Line => [{ text, token: 'danger' }],
    ),
    [],
    ...toProblemLines(problems, room),
  ];
  return <ScrollView {...{ lines, columns, rows, ...place }} margin={MARGIN} title="Problems" />;
}

function DocumentView({ document, manifest, marks }: DocumentProps) {
  const { columns, rows } = useBodySize();
  const { findings = [] } = useScreen();
  const { list, capability, details } = useDocumentView({ document, manifest, marks });
  const isWide = isWideBody({ columns });
  // Changed rows have a colour of their own; without colours the sign tells.
  const isMarked = (row: Row): boolean => toRowLine(row, columns).some(({ token }) => token === 'changed');
  const marked = new Set(list.seen.flatMap(({ row }) => (isMarked(row) ? [row.id] : [])));
  return (
    <Box flexDirection="column" height={rows}>
      <MasterDetail
        columns={columns}
        rows={rows}
        details={details}
        toDetails={(width) => {
          const problems = toDocumentProblems(findings, capability?.key, { columns: width });
          if (!isWide) return problems;
          const selected = toSelectedLines(document, list.selected?.id, width);
          return problems.length === 0 ? selected : [...problems, [], ...selected];
        }}
      >
        {(size) => (
          <RowsView
            {...size}
            list={list}
            title="Document"
            marked={marked}
            isFocused={!details.isFocused}
            onFocus={details.isFocused ? details.toggle : undefined}
            noMatch="Nothing in the document matches."
            placeholder="words: items 400"
          />
        )}
      </MasterDetail>
    </Box>
  );
}

const bindings = toBindings(['edit', 'show'], { show: { help: 'The problems of the project', hint: 'problems' } });

/** The keys where there is no document, but problems; and how far those are scrolled. */
function useDocumentProblems(problems: readonly Problem[]) {
  const { edit, go } = useScreen();
  const [offset, onOffset] = useKept('problems offset', 0);
  const { file, line } = problems.find(({ severity }) => severity === 'error') ?? problems[0] ?? {};
  useKeys({
    title: 'OpenAPI',
    bindings,
    onAction: (action) =>
      action === 'show' ? go({ screen: 'check' }) : edit(file === undefined ? undefined : { file, line }),
  });
  return { offset, onOffset };
}

const defaults: OpenApiOptions = {};

/** The document, made anew after every save. What else is told of the project comes from the project that is open. */
function useDocument(options: OpenApiOptions = defaults): ProjectState {
  const { terminal, config, envFile, exit } = useScreen();
  return useProject({
    config,
    envFile,
    workingDirectory: useMemo(() => terminal.workingDirectory(), [terminal]),
    hasSchemas: false,
    published: options,
    onError: (error) => exit(error instanceof Error ? error : new Error(String(error))),
  });
}
