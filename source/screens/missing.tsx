import { Box } from 'ink';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { fitLine, type Line } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { findSelected, type ListState } from '../kit/list/list-state.ts';
import { ListView } from '../kit/list/list-view.tsx';
import { textWidth } from '../kit/text/text-width.ts';
import { toMethodToken } from '../kit/theme/tokens.ts';
import { useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { findMeant } from '../manifest/expect-capability.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { useScreen } from './use-screen.ts';

const bindings: readonly KeyBinding<'go'>[] = [
  { action: 'go', keys: ['enter'], help: 'To the capability', hint: 'go there' },
];

/**
 * In place of a capability that is not there: it was renamed or removed while it was shown, or never was, or is a group. Offers what may be
 * meant.
 */
export function Missing({ capabilityKey, manifest }: { readonly capabilityKey: string; readonly manifest: Manifest }) {
  const { entry, replace } = useScreen();
  const { symbols } = useUi();
  const { columns, rows } = useBodySize();
  const [list, setList] = useKept<ListState | undefined>('meant', undefined);
  const { isGroup, meant } = findMeant(capabilityKey, manifest.capabilities);
  const selected = findSelected(meant, list, ({ key }) => key);
  useKeys({
    title: 'Missing',
    bindings,
    isActive: selected !== undefined,
    onAction: () => {
      if (selected !== undefined && 'key' in entry.route) replace({ ...entry.route, key: selected.key });
    },
  });
  const text = isGroup
    ? `${capabilityKey} is a group of ${meant.length === 1 ? '1 capability' : `${meant.length} capabilities`}:`
    : `There is no capability ${capabilityKey}.${meant.length === 0 ? '' : ' Did you mean:'}`;
  const keyWidth = Math.max(0, ...meant.map(({ key }) => textWidth(key)));
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine([{ text: `  ${text}` }], columns, symbols.ellipsis)} />
      {meant.length > 0 && (
        <ListView
          items={meant}
          getKey={({ key }) => key}
          toLine={({ key, method, path }): Line => [
            { text: key.padEnd(keyWidth + 2) },
            { text: method.padEnd(7), token: toMethodToken(method) },
            { text: path },
          ]}
          state={list}
          onState={setList}
          columns={columns}
          rows={rows - 1}
          title="Capabilities"
        />
      )}
    </Box>
  );
}
