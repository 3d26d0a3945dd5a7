import { Box } from 'ink';
import { findNearest } from '../../server-runtime/routing/find-nearest.ts';
import type { Manifest } from '../project/manifest.ts';
import type { KeyBinding } from './key-table.ts';
import { fitLine } from './line-segments.ts';
import { LineView } from './line-view.tsx';
import { useKeys } from './use-keys.ts';
import { useScreen } from './use-screen.ts';
import { useBodySize, useUi } from './use-ui.ts';

const bindings: readonly KeyBinding<'go'>[] = [
  { action: 'go', keys: ['enter'], help: 'To the nearest capability', hint: 'go there' },
];

/** In place of a capability that is not there: it was renamed or removed while it was shown, or never was. */
export function Missing({ capabilityKey, manifest }: { readonly capabilityKey: string; readonly manifest: Manifest }) {
  const { entry, replace } = useScreen();
  const { symbols } = useUi();
  const { columns } = useBodySize();
  const nearest = findNearest(
    capabilityKey,
    manifest.capabilities.map(({ key }) => key),
  );
  useKeys({
    title: 'Missing',
    bindings,
    isActive: nearest !== undefined,
    onAction: () => {
      if (nearest !== undefined && 'key' in entry.route) replace({ ...entry.route, key: nearest });
    },
  });
  const lines = [
    `There is no capability ${capabilityKey}.`,
    nearest === undefined ? '' : `Did you mean ${nearest}? Enter goes there.`,
  ];
  return (
    <Box flexDirection="column">
      {lines.map((text) => (
        <LineView key={text} line={fitLine([{ text: `  ${text}` }], columns, symbols.ellipsis)} />
      ))}
    </Box>
  );
}
