import { Box } from 'ink';
import { FormView } from '../kit/form/form-view.tsx';
import { ScrollView } from '../kit/list/scroll-view.tsx';
import { type Size, useBodySize, useUi } from '../kit/theme/use-ui.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { isWideBody, TwoPanes } from '../screens/two-panes.tsx';
import { toFieldId } from './generate-field.ts';
import { GroupPicker } from './group-picker.tsx';
import type { Wish } from './plan/generate-preview.ts';
import { toPreviewLines, toWrittenLines } from './preview-lines.ts';
import { useGenerate } from './use-generate.ts';

export interface GenerateFormProps {
  readonly kind: Wish['kind'];
  readonly manifest: Manifest;
}

/** Rows of the group picker where the preview is below it. */
const PICKER_ROWS = 6;
/** The indent by which the groups stand below what is typed, columns. */
const PICKER_INDENT = 7;

/** Shows what is asked, and what it comes to while it is typed. */
export function GenerateForm({ kind, manifest }: GenerateFormProps) {
  const { columns, rows } = useBodySize();
  const { form, formRows, setForm, choices, typedGroup, pickGroup, ...result } = useGenerate(kind, manifest);
  const isWide = isWideBody({ columns });
  // The words about a field that do not fit beside it stand below all of them.
  const formHeight = formRows.length + (choices.length > 0 ? 0 : isWide ? 2 : 1);
  const room = rows - formHeight;
  const pickerRows = Math.min(choices.length, isWide ? room : Math.min(PICKER_ROWS, Math.floor(room / 2)));
  return (
    <TwoPanes
      columns={columns}
      rows={rows}
      secondColumns={(all) => all - Math.floor(all / 2)}
      secondRows={() => room - pickerRows}
      first={({ columns: width }) => (
        <>
          <FormView
            formRows={formRows}
            form={form}
            onState={setForm}
            problems={toProblems(result)}
            takesNull={false}
            columns={width}
            rows={formHeight}
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
        </>
      )}
      second={(size) => <Result {...result} {...size} />}
    />
  );
}

type ResultProps = Pick<
  ReturnType<typeof useGenerate>,
  'preview' | 'clashes' | 'written' | 'dryRun' | 'offset' | 'setOffset'
>;

/** The field that something is wrong with; what it is stands in the preview, whole. */
function toProblems({ preview, clashes }: Pick<ResultProps, 'preview' | 'clashes'>): ReadonlyMap<string, string> {
  if (clashes.length > 0) return new Map([[toFieldId('name'), 'is taken']]);
  if (preview.kind !== 'refused') return new Map();
  return new Map([[toFieldId(preview.field), preview.code === 'Usage' ? 'cannot be its name' : 'is taken']]);
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
