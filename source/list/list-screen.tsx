import { Box } from 'ink';
import { useCallback, useEffect, useMemo } from 'react';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-table.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { fitLine } from '../kit/line/line-segments.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { FilterLine } from '../kit/list/filter-line.tsx';
import { isFilterShown, noFilter } from '../kit/list/filter-state.ts';
import { findSelected, type ListState } from '../kit/list/list-state.ts';
import { ListView } from '../kit/list/list-view.tsx';
import { ScrollView } from '../kit/list/scroll-view.tsx';
import { wrapText } from '../kit/text/text-width.ts';
import { useBodySize, useUi } from '../kit/theme/use-ui.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { LoadingLine } from '../screens/loading-line.tsx';
import { ScreenFrame } from '../screens/screen-frame.tsx';
import { SidePane } from '../screens/side-pane.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { toSummaryLines } from './capability-summary.ts';
import { toColumns, toColumnWishes, toRowLine, toTitleLine } from './list-columns.ts';
import { queryHint, shortQueryHint } from './list-query.ts';
import { declaredOrder, type ListRow, prepareListRows, toListRows, toNextSort } from './list-view-model.ts';
import { toNoCapabilities } from './no-capabilities.ts';

type ListScreenAction = 'show' | 'call' | 'generate' | 'sort' | 'reverse' | 'copy' | 'edit' | 'pane';

const bindings: readonly KeyBinding<ListScreenAction>[] = [
  { action: 'show', keys: ['enter'], help: 'Show the capability', hint: 'show' },
  { action: 'call', keys: ['c'], help: 'Call the capability', hint: 'call' },
  { action: 'generate', keys: ['n'], help: 'A new capability, in the group of this one', hint: 'new' },
  { action: 'sort', keys: ['s'], help: 'Sort by the next column', hint: 'sort' },
  { action: 'reverse', keys: ['S'], help: 'Reverse the order' },
  { action: 'copy', keys: ['y'], help: 'Copy the key', hint: 'copy' },
  { action: 'edit', keys: ['e'], help: 'Open the source in $EDITOR', hint: 'edit' },
];
const pane: KeyBinding<ListScreenAction> = {
  action: 'pane',
  keys: ['tab', 'shift+tab'],
  help: 'To the other pane',
  hint: 'pane',
};
const wideBindings = [...bindings, pane];
const emptyBindings: readonly KeyBinding<ListScreenAction>[] = [
  { action: 'generate', keys: ['enter', 'n'], help: 'Write the first capability', hint: 'new' },
];

/** `capix list`: every capability with its route and guards, beside it the one that is selected. */
export default function ListScreen() {
  return (
    <ScreenFrame screen="list">
      <ListBody />
    </ScreenFrame>
  );
}

/** From this width on the selected capability is shown beside the list. */
const WIDE = 110;
/** In fewer columns the filter is explained by its short names. */
const SHORT = 76;

function ListBody() {
  const { columns, rows } = useBodySize();
  const list = useList({ isWide: columns >= WIDE });
  const { manifest, listed, selected, filter, isWide } = list;
  if (manifest === undefined) return <LoadingLine />;
  if (manifest.capabilities.length === 0) return <NoCapabilities manifest={manifest} />;
  const paneWidth = isWide && selected ? Math.min(64, Math.floor(columns * 0.4)) : 0;
  const width = columns - paneWidth;
  return (
    <Box height={rows}>
      <Box flexDirection="column" width={width}>
        <CapabilityTable {...list} columns={width} rows={rows - (isFilterShown(filter) ? 1 : 0)} />
        <FilterLine
          state={filter}
          onState={list.setFilter}
          columns={width}
          count={`${listed.length} of ${manifest.capabilities.length}`}
          placeholder={width < SHORT ? shortQueryHint : queryHint}
        />
      </Box>
      {isWide && selected && (
        <SidePane columns={paneWidth} rows={rows}>
          <ScrollView
            lines={toSummaryLines(selected.capability, paneWidth - 3)}
            offset={list.paneOffset}
            onOffset={list.setPaneOffset}
            columns={paneWidth - 2}
            rows={rows}
            title="Details"
            isFocused={list.isInPane}
          />
        </SidePane>
      )}
    </Box>
  );
}

/** What the screen keeps, and what its keys do to it. */
function useList({ isWide }: { readonly isWide: boolean }) {
  const { project, go, copy, edit } = useScreen();
  const [sort, setSort] = useKept('sort', declaredOrder);
  const [filter, setFilter] = useKept('filter', noFilter);
  const [list, setList] = useKept<ListState | undefined>('list', undefined);
  const [paneOffset, setPaneOffset] = useKept('pane', 0);
  const [isInPane, setIsInPane] = useKept('isInPane', false);
  const { manifest } = project;
  const capabilities = manifest?.capabilities;
  const query = filter.field.text;
  useEffect(() => prepareListRows(capabilities ?? []), [capabilities]);
  const all = useMemo(() => toListRows(capabilities ?? [], { query: '', sort: declaredOrder }), [capabilities]);
  const isWhole = query === '' && sort === declaredOrder;
  const listed = useMemo(
    () => (isWhole ? all : toListRows(capabilities ?? [], { query, sort })),
    [isWhole, all, capabilities, query, sort],
  );
  const selected = findSelected(listed, list, ({ key }) => key);
  useKeys<ListScreenAction>({
    title: 'Capability',
    bindings: capabilities?.length === 0 ? emptyBindings : isWide ? wideBindings : bindings,
    onAction: (action) => {
      if (action === 'sort') setSort(toNextSort(sort));
      else if (action === 'reverse') setSort({ ...sort, isReversed: !sort.isReversed });
      else if (action === 'pane') setIsInPane(!isInPane);
      else if (action === 'generate')
        go({ screen: 'generate', kind: 'capability', group: selected?.capability.groups.join('/') });
      else if (selected === undefined) return;
      else if (action === 'copy') copy(selected.key, selected.key);
      else if (action === 'edit') edit(selected.capability.source);
      else go({ screen: action, key: selected.key });
    },
  });
  return {
    manifest,
    all,
    listed,
    selected,
    sort,
    filter,
    setFilter,
    list,
    setList: (state: ListState) => {
      setPaneOffset(0);
      setList(state);
    },
    paneOffset,
    setPaneOffset,
    isWide,
    isInPane: isWide && isInPane,
  };
}

interface CapabilityTableProps
  extends Pick<ReturnType<typeof useList>, 'all' | 'listed' | 'list' | 'setList' | 'sort' | 'isInPane'> {
  readonly columns: number;
  readonly rows: number;
}

function CapabilityTable({ all, listed, list, setList, columns, rows, isInPane, sort }: CapabilityTableProps) {
  const { marks } = useScreen();
  const { symbols } = useUi();
  // Of all rows, so that the columns stay where they are while the filter is typed.
  const wishes = useMemo(() => toColumnWishes(all), [all]);
  const table = useMemo(() => toColumns(wishes, columns - 3), [wishes, columns]);
  const toLine = useCallback(
    (row: ListRow) => toRowLine(row, { columns: table, isMarked: marks.has(row.key), ellipsis: symbols.ellipsis }),
    [table, marks, symbols],
  );
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine([{ text: '  ' }, ...toTitleLine(table, sort)], columns, symbols.ellipsis)} />
      <ListView
        items={listed}
        getKey={({ key }) => key}
        toLine={toLine}
        isMarked={({ key }) => marks.has(key)}
        state={list}
        onState={setList}
        columns={columns}
        rows={rows - 1}
        isFocused={!isInPane}
        empty="No capability matches."
      />
    </Box>
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
