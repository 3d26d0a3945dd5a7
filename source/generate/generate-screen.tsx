import { useState } from 'react';
import { toFormRows } from '../kit/form/form-rows.ts';
import { FormView } from '../kit/form/form-view.tsx';
import { toBindings, toFormBindings } from '../kit/keys/actions.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { Line } from '../kit/line/line.ts';
import { ScrollView } from '../kit/list/scroll-view.tsx';
import { type Size, useBodySize } from '../kit/theme/use-ui.ts';
import { toOutline } from '../load/project-state.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { LoadingLine } from '../screens/shell/loading-line.tsx';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { TwoPanes } from '../screens/two-panes.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { toPreviewLines } from './preview-lines.ts';
import { toNotes } from './run-generate.ts';
import { nameId, type Preview, useGenerate } from './use-generate.ts';

/** `capix generate` in a terminal: what it will be is seen before it is written. */
export default function GenerateScreen() {
  const outline = toOutline(useScreen().project);
  return (
    <ScreenFrame screen="generate" isForm>
      {outline === undefined ? <LoadingLine /> : <Generate manifest={outline} />}
    </ScreenFrame>
  );
}

const bindings = toFormBindings(['go', 'send'], {
  go: { help: 'Write the files', hint: 'write' },
  send: { help: 'Write the files' },
});

function Generate({ manifest }: { readonly manifest: Manifest }) {
  const { columns, rows } = useBodySize();
  const { form, change, preview, written, write, isDryRun } = useGenerate(manifest);
  const formRows = toFormRows(form.field, form.state.root);
  useKeys({
    title: 'Generate',
    bindings,
    priority: keyPriority.field + 1,
    isActive: !isDryRun,
    onAction: () => void write(),
  });
  // The words about a field that do not fit beside it stand below all of them.
  const formHeight = formRows.length + 2;
  return (
    <TwoPanes
      columns={columns}
      rows={rows}
      secondColumns={(all) => all - Math.floor(all / 2)}
      secondRows={() => Math.max(0, rows - formHeight)}
      first={(size) => (
        <FormView
          formRows={formRows}
          form={form}
          onState={change}
          problems={toProblems(preview)}
          isTried={false}
          takesNull={false}
          columns={size.columns}
          rows={Math.min(size.rows, formHeight)}
        />
      )}
      second={(size) => (
        <Result
          {...size}
          lines={(width) => [
            ...(isDryRun ? [[{ text: 'A dry run: nothing is written.', token: 'warning' as const }]] : []),
            ...(written === undefined
              ? toPreviewLines(preview, { width, capabilities: manifest.capabilities })
              : toNotes(written).flatMap((note) => note.split('\n').map((text): Line => [{ text }]))),
          ]}
        />
      )}
    />
  );
}

/** The field that something is wrong with; what it is stands in the preview, whole. */
function toProblems(preview: Preview): ReadonlyMap<string, string> {
  if (preview.kind !== 'refused') return new Map();
  return new Map([[nameId, preview.code === 'Usage' ? 'cannot be its name' : 'is taken']]);
}

const pageBindings = toBindings(['pageDown', 'pageUp'], {
  pageDown: { keys: ['pagedown'], help: 'Scroll the preview down' },
  pageUp: { keys: ['pageup'], help: 'Scroll the preview up' },
});

/** The lines that a page key goes. */
const PAGE = 5;

function Result({ lines, columns, rows }: Size & { readonly lines: (width: number) => readonly Line[] }) {
  const [offset, setOffset] = useState(0);
  const all = lines(columns - 2);
  const last = Math.max(0, all.length - rows);
  useKeys({
    title: 'Generate',
    bindings: pageBindings,
    priority: keyPriority.field + 1,
    onAction: (action) => setOffset(Math.max(0, Math.min(last, offset + (action === 'pageDown' ? PAGE : -PAGE)))),
  });
  return (
    <ScrollView lines={all} offset={offset} onOffset={setOffset} columns={columns} rows={rows} isFocused={false} />
  );
}
