import { Box } from 'ink';
import { useCallback, useMemo } from 'react';
import { fitLine, type Line, toCell } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { FilteredListView } from '../kit/list/filtered-list-view.tsx';
import { GROUP_INDENT, type ListEntry, toGroupHeader } from '../kit/list/list-entry.ts';
import { toRowColumns } from '../kit/list/to-scroll-marks.ts';
import { wrapText } from '../kit/text/text-width.ts';
import { toMethodToken } from '../kit/theme/tokens.ts';
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
      toDetails={(columns) => (list.selected ? toEntryDetails(list.selected, columns) : [])}
      belowShare={0}
    >
      {(room) => <CapabilityTable {...room} view={view} />}
    </MasterDetail>
  );
}

function toEntryDetails(entry: ListEntry<ListRow>, columns: number): readonly Line[] {
  if (entry.kind === 'row') return toSummaryLines(entry.row.capability, columns);
  return [
    [{ text: entry.name, token: 'title' }],
    [],
    ...entry.rows.map(
      ({ key, method }): Line => [...toCell(method, { width: METHOD, token: toMethodToken(method) }), { text: key }],
    ),
  ];
}

/** Columns of the longest method and a blank. */
const METHOD = 8;

function CapabilityTable({ view, columns, rows }: Size & { readonly view: CapabilityList }) {
  const { all, list, sort, details, isGrouped } = view;
  const { marks } = useScreen();
  const { symbols } = useUi();
  // The columns fit all rows, so that the columns stay where they are while the filter is typed.
  const wishes = useMemo(() => toColumnWishes(all), [all]);
  const indent = isGrouped ? GROUP_INDENT : 0;
  const table = useMemo(() => toColumns(wishes, toRowColumns(columns) - indent), [wishes, columns, indent]);
  const toLine = useCallback(
    (entry: ListEntry<ListRow>): Line => {
      if (entry.kind === 'group') return toGroupHeader(entry, symbols);
      const { row } = entry;
      const style = { columns: table, isMarked: marks.has(row.key), ellipsis: symbols.ellipsis };
      return [{ text: ' '.repeat(indent) }, ...toRowLine(row, style)];
    },
    [table, marks, symbols, indent],
  );
  const isMarked = (entry: ListEntry<ListRow>): boolean =>
    entry.kind === 'row' ? marks.has(entry.row.key) : entry.rows.some(({ key }) => marks.has(key));
  return (
    <FilteredListView
      header={fitLine([{ text: ' '.repeat(2 + indent) }, ...toTitleLine(table, sort)], columns, symbols.ellipsis)}
      list={list}
      toLine={toLine}
      marksFound={false}
      isMarked={isMarked}
      columns={columns}
      rows={rows}
      isFocused={!details.isFocused}
      onFocus={details.isFocused ? details.toggle : undefined}
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
