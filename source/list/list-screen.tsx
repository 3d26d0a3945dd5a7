import { Box } from 'ink';
import { useMemo } from 'react';
import { type ActionWords, toBindings } from '../kit/actions.ts';
import { type Line, toCell } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { wrapText } from '../kit/text.ts';
import { toMethodToken } from '../kit/theme.ts';
import { useKeys } from '../kit/use-keys.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { toOutline } from '../load/project-state.ts';
import { type Listed, toListed } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { isWideBody, RowsWithDetails } from '../screens/master-detail.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { useDetails } from '../screens/use-details.ts';
import { useRowActions } from '../screens/use-row-actions.ts';
import { useScreen } from '../screens/use-screen.ts';
import { toNoCapabilities } from './capability-row.ts';
import { type ListRow, toListTable, toRowId } from './list-rows.ts';
import { toSummaryLines } from './summary-lines.ts';

/** `capix list`: every capability with its route and guards, beside it the one that is selected. */
export default function ListScreen() {
  return (
    <ScreenFrame screen="list">
      <ListBody />
    </ScreenFrame>
  );
}

function ListBody() {
  const { project } = useScreen();
  const manifest = toOutline(project);
  if (manifest === undefined) return <LoadingLine />;
  const capabilities = toListed(manifest);
  if (capabilities.length === 0) return <NoCapabilities manifest={manifest} />;
  return <Capabilities capabilities={capabilities} />;
}

const narrowActions = ['go', 'call', 'insert', 'copy', 'curl', 'edit'] as const;
const wideActions = [...narrowActions, 'pane'] as const;
const words: ActionWords = {
  go: { help: 'Show the capability', hint: 'show' },
  insert: { help: 'Make a capability in this group', hint: 'new' },
};

function Capabilities({ capabilities }: { readonly capabilities: readonly Listed[] }) {
  const size = useBodySize();
  const { go, marks } = useScreen();
  const { rows, toTitles } = useMemo(() => toListTable(capabilities, marks), [capabilities, marks]);
  const list = useRows<ListRow>(rows, 'list');
  const { selected } = list;
  const isWide = isWideBody(size);
  const details = useDetails(isWide && selected !== undefined);
  useRowActions(list, {
    title: 'Capability',
    actions: isWide ? wideActions : narrowActions,
    words,
    onAction: (action) => {
      const group = selected?.inside[0]?.groups.join('/');
      if (action === 'insert') go({ screen: 'generate', kind: 'capability', group });
      else if (action === 'pane') details.toggle();
      else return false;
      return true;
    },
  });
  return (
    <RowsWithDetails
      {...size}
      list={list}
      details={details}
      toDetails={(columns) => (selected ? toDetails(selected, columns) : [])}
      belowShare={0}
      toHeader={toTitles}
      noMatch="No capability matches."
      placeholder="words of a key, route, guard or description"
      marked={toMarkedRows(rows, marks)}
    />
  );
}

/** A group has the mark of what is in it. */
function toMarkedRows(rows: readonly ListRow[], marks: ReadonlySet<string>): ReadonlySet<string> | undefined {
  if (marks.size === 0) return undefined;
  const isMarked = (listed: Listed): boolean => marks.has(listed.key);
  const groups = rows.filter(({ capability, inside }) => capability === undefined && inside.some(isMarked));
  const capabilities = rows.flatMap(({ inside }) => inside.filter(isMarked));
  return new Set([...groups.map(({ id }) => id), ...capabilities.map(toRowId)]);
}

function toDetails({ capability, copied = '', inside }: ListRow, columns: number): readonly Line[] {
  if (capability !== undefined) return toSummaryLines(capability, columns);
  return [
    [{ text: copied, token: 'title' }],
    [],
    ...inside.map((listed): Line => {
      const { method, key } = listed;
      return [...toCell(method, { width: 8, token: toMethodToken(method) }), { text: key }];
    }),
  ];
}

const firstBindings = toBindings(['go', 'insert'], {
  go: { help: 'Write the first capability', hint: 'new' },
  insert: { help: 'Write the first capability' },
});

function NoCapabilities({ manifest }: { readonly manifest: Manifest }) {
  const { go } = useScreen();
  const { columns } = useBodySize();
  useKeys({
    title: 'Capability',
    bindings: firstBindings,
    onAction: () => go({ screen: 'generate', kind: 'capability' }),
  });
  const lines = [...toNoCapabilities(manifest), 'Enter writes the first one.'];
  return (
    <Box flexDirection="column">
      {lines
        .flatMap((text) => wrapText(text, columns - 4))
        .map((text) => (
          <LineView key={text} line={[{ text: `  ${text}` }]} />
        ))}
    </Box>
  );
}
