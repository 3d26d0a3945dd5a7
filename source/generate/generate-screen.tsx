import type { Line } from '../kit/line.ts';
import { toOutline } from '../load/project-state.ts';
import { toCapabilities } from '../manifest/listed.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { FormAndOutcome } from '../screens/form-and-outcome.tsx';
import { LoadingLine, ScreenFrame } from '../screens/screen-frame.tsx';
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

function Generate({ manifest }: { readonly manifest: Manifest }) {
  const { form, change, preview, written, write, isDryRun } = useGenerate(manifest);
  return (
    <FormAndOutcome
      title="Generate"
      form={form}
      onState={change}
      problems={toProblems(preview)}
      help="Write the files"
      hint="write"
      onWrite={isDryRun ? undefined : () => void write()}
      toLines={(width) => [
        ...(isDryRun ? [[{ text: 'A dry run: nothing is written.', token: 'warning' as const }]] : []),
        ...(written === undefined
          ? toPreviewLines(preview, { width, capabilities: toCapabilities(manifest) })
          : toNotes(written).flatMap((note) => note.split('\n').map((text): Line => [{ text }]))),
      ]}
    />
  );
}

/** The field that something is wrong with; what it is stands in the preview, whole. */
function toProblems(preview: Preview): ReadonlyMap<string, string> {
  if (preview.kind !== 'refused') return new Map();
  return new Map([[nameId, preview.code === 'Usage' ? 'cannot be its name' : 'is taken']]);
}
