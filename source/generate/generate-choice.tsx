import { Box } from 'ink';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { fitLine, type Line } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { findSelected, type ListState } from '../kit/list/list-state.ts';
import { ListView } from '../kit/list/list-view.tsx';
import { wrapText } from '../kit/text/text-width.ts';
import { useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { useScreen } from '../screens/use-screen.ts';

const bindings: readonly KeyBinding<'choose'>[] = [
  { action: 'choose', keys: ['enter'], help: 'Generate one', hint: 'choose' },
];

const kinds = [
  {
    kind: 'capability',
    note: 'an operation with a route',
    file: 'src/capabilities/<group>/<name>.ts',
  },
  { kind: 'group', note: 'a place for capabilities', file: 'src/capabilities/<name>/index.ts' },
] as const;

/** `capix generate` alone: what to generate. */
export function GenerateChoice() {
  const { go } = useScreen();
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const [list, setList] = useKept<ListState | undefined>('list', undefined);
  const selected = findSelected(kinds, list, ({ kind }) => kind);
  useKeys({
    title: 'Generate',
    bindings,
    onAction: () => selected && go({ screen: 'generate', kind: selected.kind }),
  });
  return (
    <Box flexDirection="column" height={rows}>
      <Box height={kinds.length + 1}>
        <ListView
          items={kinds}
          getKey={({ kind }) => kind}
          toLine={({ kind, note }): Line => [
            { text: kind.padEnd(12), token: 'title' },
            { text: note, token: 'muted' },
          ]}
          state={list}
          onState={setList}
          columns={columns}
          rows={kinds.length}
          title="Kinds"
        />
      </Box>
      {wrapText(`Writes ${selected?.file}, and its line in the index above it.`, columns - 4).map((text) => (
        <LineView key={text} line={fitLine([{ text: `  ${text}`, token: 'muted' }], columns, symbols.ellipsis)} />
      ))}
    </Box>
  );
}
