import { Box } from 'ink';
import type { Manifest } from '../project/manifest.ts';
import { emptyForm, type FormState, findFocused, toFilledForm, toFormInput, toFormRows } from '../ui/form-state.ts';
import { FormView } from '../ui/form-view.tsx';
import { keyPriority } from '../ui/key-stack.ts';
import type { KeyBinding } from '../ui/key-table.ts';
import { fitLine, type Line } from '../ui/line-segments.ts';
import { LineView } from '../ui/line-view.tsx';
import { LoadingLine } from '../ui/loading-line.tsx';
import { ScreenFrame } from '../ui/screen-frame.tsx';
import { ScrollView } from '../ui/scroll-view.tsx';
import { toTextField } from '../ui/text-field-state.ts';
import type { Symbols } from '../ui/theme.ts';
import { useKeys } from '../ui/use-keys.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { useBodySize, useUi } from '../ui/use-ui.ts';
import { generateFields, toGroupSuggestions, toPreviewLines } from './generate-view-model.ts';
import { type Preview, usePreview, writeGenerated } from './use-preview.ts';

type GenerateAction = 'write' | 'complete';

const bindings: readonly KeyBinding<GenerateAction>[] = [
  { action: 'write', keys: ['enter', 'ctrl+s'], help: 'Write the files', hint: 'write' },
  { action: 'complete', keys: ['tab'], help: 'Complete the group; else to the next field', hint: 'complete' },
];

/** `capix generate capability` without a name: what it will be is seen before it is written. */
export default function GenerateScreen() {
  const { manifest } = useScreen().project;
  return (
    <ScreenFrame screen={['generate', 'capability']} isForm>
      {manifest === undefined ? <LoadingLine /> : <Generate manifest={manifest} />}
    </ScreenFrame>
  );
}

function Generate({ manifest }: { readonly manifest: Manifest }) {
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const { form, setForm, preview, suggestions, problems, offset, setOffset } = useGenerate(manifest);
  const formRows = toFormRows(generateFields, form);
  const room = rows - formRows.length - 2;
  return (
    <Box flexDirection="column">
      <FormView
        formRows={formRows}
        state={form}
        onState={setForm}
        problems={problems}
        columns={columns}
        rows={formRows.length}
      />
      <LineView line={fitLine(toSuggestionLine(suggestions, symbols), columns, symbols.ellipsis)} />
      <LineView line={[{ text: symbols.line.repeat(columns), token: 'muted' }]} />
      <Box paddingLeft={2}>
        <ScrollView
          lines={toLines(preview)}
          offset={offset}
          onOffset={setOffset}
          columns={columns - 2}
          rows={room}
          isFocused={false}
        />
      </Box>
    </Box>
  );
}

function useGenerate(manifest: Manifest) {
  const { entry, go, notify } = useScreen();
  const start = entry.route.screen === 'generate' ? entry.route : {};
  const [form, setForm] = useKept<FormState>('form', () => ({
    ...toFilledForm(generateFields, start),
    focus: 'group',
  }));
  const [offset, setOffset] = useKept('offset', 0);
  const {
    group = '',
    name = '',
    input = false,
  } = toFormInput(generateFields, form) as {
    readonly group?: string;
    readonly name?: string;
    readonly input?: boolean;
  };
  const preview = usePreview({ group, name, withInput: input }, manifest);
  const focus = findFocused(toFormRows(generateFields, form), form)?.path;
  const suggestions = focus === 'group' ? toGroupSuggestions(manifest, group) : [];
  const write = async (): Promise<void> => {
    if (preview.kind !== 'ready') return notify(preview.kind === 'none' ? 'It needs a name' : 'Nothing was written');
    const { key, changes } = preview.generated;
    await writeGenerated(preview.generated);
    notify(`Wrote ${changes[0]?.path ?? key}`);
    setForm({ ...emptyForm, texts: { group: toTextField(group) }, focus: 'name' });
    go({ screen: 'show', key });
  };
  useKeys<GenerateAction>({
    title: 'Generate',
    bindings,
    priority: keyPriority.field + 1,
    onAction: (action) => {
      if (action === 'write') void write().catch((error: Error) => notify(error.message));
      else if (focus !== 'group') setForm({ ...form, focus: focus === 'name' ? 'input' : 'group' });
      else setForm({ ...form, texts: { ...form.texts, group: toTextField(suggestions[0] ?? group) }, focus: 'name' });
    },
  });
  const problems = new Map(preview.kind === 'refused' ? [['name', preview.message]] : []);
  return { form, setForm, preview, suggestions, problems, offset, setOffset };
}

function toSuggestionLine(suggestions: readonly string[], symbols: Symbols): Line {
  if (suggestions.length === 0) return [];
  return [
    { text: '  Tab ', token: 'key' },
    { text: suggestions.join(` ${symbols.dot} `), token: 'muted' },
  ];
}

function toLines(preview: Preview): readonly Line[] {
  switch (preview.kind) {
    case 'none':
      return [[{ text: 'What will be written is shown here.', token: 'muted' }]];
    case 'refused':
      return [[{ text: preview.message, token: 'danger' }], [{ text: preview.hint ?? '' }]];
    case 'ready':
      return toPreviewLines(preview.generated);
  }
}
