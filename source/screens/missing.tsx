import { Box } from 'ink';
import { useMemo } from 'react';
import { fitLine } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import type { Row } from '../kit/row.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { toMethodToken } from '../kit/theme.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { findMeant } from '../manifest/expect-capability.ts';
import { type Listed, type Manifest, toCapabilities } from '../manifest/manifest.ts';
import { toCount } from '../values/count.ts';
import { useNavigation } from './use-screen.ts';

/**
 * In place of a capability that is not there: it was renamed or removed while it was shown, or never was, or is a
 * group. Offers what may be meant.
 */
export function Missing({
  capabilityKey,
  manifest,
}: {
  readonly capabilityKey: string;
  readonly manifest: Manifest;
}) {
  const { entry, replace } = useNavigation();
  const { columns, rows } = useBodySize();
  const { isGroup, meant } = useMemo(
    () => findMeant(capabilityKey, toCapabilities(manifest)),
    [capabilityKey, manifest],
  );
  const list = useRows(
    useMemo(() => meant.map(toRow), [meant]),
    'meant',
  );
  const { selected } = list;
  const go = (): void => {
    if (selected !== undefined && 'key' in entry.route)
      replace({ ...entry.route, key: selected.id });
  };
  const text = isGroup
    ? `${capabilityKey} is a group of ${toCount(meant.length, 'capability', 'capabilities')}:`
    : `There is no capability ${capabilityKey}.${meant.length === 0 ? '' : ' Did you mean:'}`;
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine([{ text: `  ${text}` }], columns)} />
      {meant.length > 0 && (
        <RowsView
          list={list}
          columns={columns}
          rows={rows - 1}
          actions={{ go: { help: 'To the capability', hint: 'go there', run: go } }}
        />
      )}
    </Box>
  );
}

function toRow({ key, method, path }: Listed): Row {
  return {
    id: key,
    line: [
      { text: `${key}  ` },
      { text: method, token: toMethodToken(method) },
      { text: ` ${path}` },
    ],
  };
}
