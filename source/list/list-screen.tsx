import { Box } from 'ink';
import { useCallback, useMemo } from 'react';
import { fitLine } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { FilteredListView } from '../kit/list/filtered-list-view.tsx';
import { wrapText } from '../kit/text/text-width.ts';
import { type Size, useBodySize, useUi } from '../kit/theme/use-ui.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { toListed } from '../manifest/operations/listed.ts';
import { MasterDetail } from '../screens/master-detail.tsx';
import { LoadingLine } from '../screens/shell/loading-line.tsx';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { toColumns, toColumnWishes, toRowLine, toTitleLine } from './columns.ts';
import { queryHint, shortQueryHint } from './list-query.ts';
import type { ListRow } from './list-rows.ts';
import { toNoCapabilities } from './no-capabilities.ts';
import { toSummaryLines } from './summary-lines.ts';
import { type CapabilityList, useList } from './use-list.ts';

/** `capix list`: every capability with its route and guards, beside it the one that is selected. */
export default function ListScreen() {
  return (
    <ScreenFrame screen="list">
      <ListBody />
    </ScreenFrame>
  );
}

/** With fewer columns, the filter is explained by its short names. */
const SHORT = 76;

function ListBody() {
  const size = useBodySize();
  const view = useList(size);
  const { manifest, list, details } = view;
  if (manifest === undefined) return <LoadingLine />;
  if (toListed(manifest).length === 0) return <NoCapabilities manifest={manifest} />;
  return (
    <MasterDetail
      {...size}
      details={details}
      toDetails={(columns) => (list.selected ? toSummaryLines(list.selected.capability, columns) : [])}
      belowShare={0}
    >
      {(room) => <CapabilityTable {...room} view={view} />}
    </MasterDetail>
  );
}

function CapabilityTable({ view, columns, rows }: Size & { readonly view: CapabilityList }) {
  const { all, list, sort, details } = view;
  const { marks } = useScreen();
  const { symbols } = useUi();
  // The columns fit all rows, so that the columns stay where they are while the filter is typed.
  const wishes = useMemo(() => toColumnWishes(all), [all]);
  const table = useMemo(() => toColumns(wishes, columns - 3), [wishes, columns]);
  const toLine = useCallback(
    (row: ListRow) => toRowLine(row, { columns: table, isMarked: marks.has(row.key), ellipsis: symbols.ellipsis }),
    [table, marks, symbols],
  );
  return (
    <FilteredListView
      header={fitLine([{ text: '  ' }, ...toTitleLine(table, sort)], columns, symbols.ellipsis)}
      list={list}
      toLine={toLine}
      marksFound={false}
      isMarked={({ key }) => marks.has(key)}
      columns={columns}
      rows={rows}
      isFocused={!details.isFocused}
      noMatch="No capability matches."
      placeholder={columns < SHORT ? shortQueryHint : queryHint}
    />
  );
}

function NoCapabilities({ manifest }: { readonly manifest: Manifest }) {
  const { columns } = useBodySize();
  const { symbols } = useUi();
  const lines = [...toNoCapabilities(manifest), 'Enter writes the first one.'].flatMap((text) =>
    wrapText(text, columns - 4),
  );
  return (
    <Box flexDirection="column">
      {lines.map((text) => (
        <LineView key={text} line={fitLine([{ text: `  ${text}` }], columns, symbols.ellipsis)} />
      ))}
    </Box>
  );
}
