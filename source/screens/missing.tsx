import { Box } from 'ink';
import { useMemo } from 'react';
import type { ActionWords } from '../kit/actions.ts';
import { fitLine, type Line } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { RowsView } from '../kit/rows-view.tsx';
import { textWidth } from '../kit/text.ts';
import { toMethodToken } from '../kit/theme.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { findMeant } from '../manifest/expect-capability.ts';
import { type Listed, toCapabilities } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { type ActionRow, useRowActions } from './use-row-actions.ts';
import { useScreen } from './use-screen.ts';

const actions = ['go'] as const;
const words: ActionWords = { go: { help: 'To the capability', hint: 'go there' } };

/**
 * In place of a capability that is not there: it was renamed or removed while it was shown, or never was, or is a
 * group. Offers what may be meant.
 */
export function Missing({ capabilityKey, manifest }: { readonly capabilityKey: string; readonly manifest: Manifest }) {
  const { entry, replace } = useScreen();
  const { columns, rows } = useBodySize();
  const { isGroup, meant } = useMemo(
    () => findMeant(capabilityKey, toCapabilities(manifest)),
    [capabilityKey, manifest],
  );
  const offered = useMemo(() => toRows(meant), [meant]);
  const list = useRows(offered, 'meant');
  useRowActions(list, {
    title: 'Missing',
    actions,
    words,
    isActive: list.selected !== undefined,
    onAction: () => {
      if (list.selected !== undefined && 'key' in entry.route) replace({ ...entry.route, key: list.selected.id });
      return true;
    },
  });
  const text = isGroup
    ? `${capabilityKey} is a group of ${meant.length === 1 ? '1 capability' : `${meant.length} capabilities`}:`
    : `There is no capability ${capabilityKey}.${meant.length === 0 ? '' : ' Did you mean:'}`;
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine([{ text: `  ${text}` }], columns)} />
      {meant.length > 0 && <RowsView list={list} columns={columns} rows={rows - 1} title="Capabilities" />}
    </Box>
  );
}

function toRows(meant: readonly Listed[]): readonly ActionRow[] {
  const width = Math.max(0, ...meant.map(({ key }) => textWidth(key))) + 2;
  return meant.map(({ key, method, path }): ActionRow => {
    const line: Line = [
      { text: key.padEnd(width) },
      { text: method.padEnd(7), token: toMethodToken(method) },
      { text: path },
    ];
    return { id: key, line };
  });
}
