import { Box } from 'ink';
import { FormView } from '../kit/form/form-view.tsx';
import { LineView } from '../kit/line/line-view.tsx';
import { ScrollView } from '../kit/list/scroll-view.tsx';
import { type Size, useBodySize, useUi } from '../kit/theme/use-ui.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { SidePane } from '../screens/side-pane.tsx';
import { GroupPicker } from './group-picker.tsx';
import { toPreviewLines, toWrittenLines } from './preview-lines.ts';
import type { Wish } from './to-preview.ts';
import { useGenerate } from './use-generate.ts';

export interface GenerateFormProps {
  readonly kind: Wish['kind'];
  readonly manifest: Manifest;
}

/** From this width on the preview stands beside the form, else below it. */
const WIDE = 110;
/** Rows of the group picker where the preview is below it. */
const PICKER_ROWS = 6;
/** So that the groups stand below what is typed. */
const PICKER_INDENT = 7;

/** What is asked, and what it comes to while it is typed. */
export function GenerateForm({ kind, manifest }: GenerateFormProps) {
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const { form, formRows, setForm, choices, typedGroup, pickGroup, ...result } = useGenerate(kind, manifest);
  const isWide = columns >= WIDE;
  const width = isWide ? Math.floor(columns / 2) : columns;
  const room = rows - formRows.length;
  const pickerRows = Math.min(choices.length, isWide ? room : Math.min(PICKER_ROWS, Math.floor(room / 2)));
  const asked = (
    <Box flexDirection="column" width={width} height={isWide ? rows : formRows.length + pickerRows}>
      <FormView
        formRows={formRows}
        state={form}
        onState={setForm}
        problems={toProblems(result)}
        columns={width}
        rows={formRows.length}
      />
      {choices.length > 0 && (
        <Box paddingLeft={PICKER_INDENT}>
          <GroupPicker
            key={typedGroup}
            choices={choices}
            onPick={pickGroup}
            columns={width - PICKER_INDENT}
            rows={pickerRows}
          />
        </Box>
      )}
    </Box>
  );
  if (isWide) {
    return (
      <Box height={rows}>
        {asked}
        <SidePane columns={columns - width} rows={rows}>
          <Result {...result} columns={columns - width - 2} rows={rows} />
        </SidePane>
      </Box>
    );
  }
  return (
    <Box flexDirection="column" height={rows}>
      {asked}
      <LineView line={[{ text: symbols.line.repeat(columns), token: 'muted' }]} />
      <Box paddingLeft={2}>
        <Result {...result} columns={columns - 2} rows={room - pickerRows - 1} />
      </Box>
    </Box>
  );
}

type ResultProps = Pick<
  ReturnType<typeof useGenerate>,
  'preview' | 'clashes' | 'written' | 'dryRun' | 'offset' | 'setOffset'
>;

/** The field that something is wrong with; what it is stands in the preview, whole. */
function toProblems({ preview, clashes }: Pick<ResultProps, 'preview' | 'clashes'>): ReadonlyMap<string, string> {
  if (clashes.length > 0) return new Map([['name', 'clashes']]);
  if (preview.kind !== 'refused') return new Map();
  return new Map([[preview.field, preview.code === 'Usage' ? 'cannot be its name' : 'is taken']]);
}

function Result({ preview, clashes, written, dryRun, offset, setOffset, columns, rows }: ResultProps & Size) {
  const { symbols } = useUi();
  const width = columns - 2;
  return (
    <ScrollView
      lines={
        written ? toWrittenLines(written, { width, symbols }) : toPreviewLines(preview, { width, dryRun, clashes })
      }
      offset={offset}
      onOffset={setOffset}
      columns={columns}
      rows={rows}
      isFocused={false}
    />
  );
}
