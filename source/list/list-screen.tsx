import { Box } from 'ink';
import { useCallback, useMemo } from 'react';
import { Keys } from '../kit/keys.tsx';
import { type Line, toCell } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { toRowLines } from '../kit/row.ts';
import { wrapText } from '../kit/text.ts';
import { toMethodToken } from '../kit/theme.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { type Listed, type Manifest, toListed } from '../manifest/manifest.ts';
import { RowsWithDetails } from '../screens/master-detail.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
import { useRowActions } from '../screens/use-row-actions.ts';
import { useNavigation, useProject } from '../screens/use-screen.ts';
import { groupBy } from '../values/once.ts';
import { toGuardCount, toNoCapabilities, toRouteText } from './capability-row.ts';
import { type ListRow, toListTable, toRowIds } from './list-rows.ts';
import { toShowRows } from './show-rows.ts';

/** `capix list`: every capability with its route and guards, beside it the one that is selected. */
export default function ListScreen() {
  return (
    <ScreenFrame screen="list">
      <ListBody />
    </ScreenFrame>
  );
}

function ListBody() {
  const { project } = useProject();
  const { manifest } = project;
  if (manifest === undefined) return <LoadingLine />;
  const capabilities = toListed(manifest);
  if (capabilities.length === 0) return <NoCapabilities manifest={manifest} />;
  return <Capabilities capabilities={capabilities} manifest={manifest} />;
}

interface CapabilitiesProps {
  readonly capabilities: readonly Listed[];
  readonly manifest: Manifest;
}

function Capabilities({ capabilities, manifest }: CapabilitiesProps) {
  const { go } = useNavigation();
  const { marks } = useProject();
  const { rows, toTitles } = useMemo(() => toListTable(capabilities), [capabilities]);
  const list = useRows<ListRow>(rows, 'list');
  const { selected } = list;
  const { go: show, call, copy, curl, edit } = useRowActions(list);
  const group = selected?.inside[0]?.groups.join('/');
  const insert = (): void => go({ screen: 'generate', kind: 'capability', group });
  return (
    <RowsWithDetails
      {...useBodySize()}
      list={list}
      actions={{
        go: { ...show, help: 'Show the capability', hint: 'show' },
        call,
        insert: { help: 'Make a capability in this group', run: insert },
        copy,
        curl,
        edit,
      }}
      toDetails={useCallback(
        (columns: number) => (selected ? toDetails(selected, manifest, columns) : []),
        [selected, manifest],
      )}
      belowShare={0}
      toHeader={toTitles}
      noMatch="No capability matches."
      placeholder="words of a key, route, guard or description"
      marked={useMemo(() => new Set([...marks].flatMap(toRowIds)), [marks])}
    />
  );
}

function toDetails(
  { capability, copied = '', inside }: ListRow,
  manifest: Manifest,
  columns: number,
): readonly Line[] {
  const title: Line = [{ text: copied, token: 'title' }];
  if (capability === undefined) return [title, ...toGroupLines(inside)];
  return [title, [], ...toRowLines(toShowRows(capability, { manifest, width: columns }))];
}

/** The methods of a group and its guards in numbers, and all of its routes. */
function toGroupLines(inside: readonly Listed[]): readonly Line[] {
  const methods = [...groupBy(inside, ({ method }) => method)];
  const counts = methods.map(([method, some]) => `${some.length} ${method}`);
  const guarded = inside.filter((each) => toGuardCount(each) !== 'public').length;
  const guards = guarded === 0 ? 'all public' : `${guarded} with guards`;
  return [
    [{ text: `${counts.join(', ')}; ${guards}`, token: 'muted' }],
    [],
    ...inside.map((each): Line => [...toMethodCell(each.method), { text: toRouteText(each) }]),
  ];
}

function toMethodCell(method: string): Line {
  return toCell(method, { width: 8, token: toMethodToken(method) });
}

function NoCapabilities({ manifest }: { readonly manifest: Manifest }) {
  const { go } = useNavigation();
  const { columns } = useBodySize();
  const first = { help: 'Write the first capability', hint: 'new' };
  const run = (): void => go({ screen: 'generate', kind: 'capability' });
  const lines = [...toNoCapabilities(manifest), 'Enter writes the first one.'];
  return (
    <Keys actions={{ go: { ...first, run }, insert: { ...first, run } }}>
      <Box flexDirection="column">
        {lines
          .flatMap((text) => wrapText(text, columns - 4))
          .map((text) => (
            <LineView key={text} line={[{ text: `  ${text}` }]} />
          ))}
      </Box>
    </Keys>
  );
}
