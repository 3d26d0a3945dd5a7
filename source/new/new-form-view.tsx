import { Box } from 'ink';
import { TextField } from '../kit/field/text-field.tsx';
import { fitLine, type Line } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { wrapText } from '../kit/text/text-width.ts';
import { type Size, useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { TwoPanes } from '../screens/two-panes.tsx';
import { toFileTree } from './file-tree.ts';
import { type NewForm, type Question, questions } from './new-form.ts';
import type { NewFormUse } from './use-new-form.ts';

/** In a window of at least this width the files stand beside the questions, else below them. */
const WIDE = 76;
const LABEL_COLUMNS = 17;

/** The questions, and the files that the answers make. */
export function NewFormView({ form, onName, preview, problem }: NewFormUse) {
  const { columns, rows } = useBodySize();
  const toText = (width: number) => toSaid({ problem, preview, columns: width - 4 });
  return (
    <TwoPanes
      columns={columns}
      rows={rows}
      wideFrom={WIDE}
      secondColumns={(all) => Math.floor(all * 0.4)}
      secondRows={(all) => toRoomBelow(all - 2 - questions.length - toText(columns).length)}
      hasRule={false}
      first={({ columns: width, rows: height }) => {
        const text = toText(width).slice(0, Math.max(1, height - MIN_QUESTIONS));
        const { shown, hasBlank } = toShownQuestions(form, height - text.length);
        return (
          <>
            {shown.map((question) =>
              question === undefined ? (
                <NameLine key="name" form={form} onName={onName} columns={width} />
              ) : (
                <QuestionLine key={question.id} question={question} form={form} columns={width} />
              ),
            )}
            {hasBlank && <LineView line={[{ text: ' ' }]} />}
            {text.map((line, row) => (
              <LineView key={row} line={line} />
            ))}
          </>
        );
      }}
      second={(size) => <Files {...size} preview={preview} />}
    />
  );
}

/** Questions that stay beside a long text. */
const MIN_QUESTIONS = 4;

/** As many questions as there is room for, around the one that is answered, and whether a blank row follows them. The name is undefined. */
function toShownQuestions({ focus }: NewForm, rows: number) {
  const all = [undefined, ...questions];
  const at = all.findIndex((question) => question?.id === focus);
  const count = Math.min(all.length, rows);
  const first = Math.max(0, Math.min(Math.max(0, at) - Math.floor(count / 2), all.length - count));
  return { shown: all.slice(first, first + count), hasBlank: rows > all.length };
}

/** One row would only hold the name of the folder. */
function toRoomBelow(rows: number): number {
  return rows > 1 ? rows : 0;
}

interface LineProps {
  readonly form: NewForm;
  readonly columns: number;
}

function NameLine({ form, onName, columns }: LineProps & Pick<NewFormUse, 'onName'>) {
  const isFocused = form.focus === 'name';
  return (
    <Box height={1} width={columns}>
      <Label text="Name" isFocused={isFocused} />
      <TextField
        state={form.name}
        onState={onName}
        columns={columns - LABEL_COLUMNS - 1}
        isFocused={isFocused}
        placeholder="my-api"
      />
    </Box>
  );
}

function QuestionLine({ question, form, columns }: LineProps & { readonly question: Question }) {
  const { symbols } = useUi();
  const { id, label, choices, note } = question;
  const picked = form.picks[id];
  const line: Line = [
    ...choices.map((choice, index): Line[number] =>
      index === picked ? { text: `[${choice}]`, token: 'accent' } : { text: ` ${choice} `, token: 'muted' },
    ),
    { text: note === '' ? '' : `  ${note}`, token: 'muted' },
  ];
  return (
    <Box height={1} width={columns}>
      <Label text={label} isFocused={form.focus === id} />
      <LineView line={fitLine(line, columns - LABEL_COLUMNS - 1, symbols.ellipsis)} />
    </Box>
  );
}

function Label({ text, isFocused }: { readonly text: string; readonly isFocused: boolean }) {
  const { symbols } = useUi();
  const line: Line = [
    { text: isFocused ? `${symbols.pointer} ` : '  ', token: 'accent' },
    { text, token: isFocused ? 'title' : undefined },
  ];
  return (
    <Box width={LABEL_COLUMNS} flexShrink={0}>
      <LineView line={fitLine(line, LABEL_COLUMNS, symbols.ellipsis)} />
    </Box>
  );
}

interface Said extends Pick<NewFormUse, 'problem' | 'preview'> {
  readonly columns: number;
}

/** Says what comes of Enter. */
function toSaid({ problem, preview, columns }: Said): readonly Line[] {
  const { place } = preview;
  const text =
    problem ??
    (place === undefined
      ? 'What is it called? A dot is this folder.'
      : `Enter makes ${place.packageName} in ${place.path === '.' ? 'this folder' : `./${place.path}`}.`);
  const token = problem !== undefined ? 'danger' : place === undefined ? 'muted' : 'success';
  return wrapText(text, columns).map((part): Line => [{ text: `  ${part}`, token }]);
}

function Files({ preview, columns, rows }: Size & Pick<NewFormUse, 'preview'>) {
  const { symbols } = useUi();
  const lines = toFileTree(preview.paths);
  const root = preview.place?.path ?? 'my-api';
  const room = Math.max(0, rows - 1);
  const shown = lines.length > room ? lines.slice(0, room - 1) : lines;
  return (
    <Box flexDirection="column">
      <LineView line={fitLine([{ text: ` ${root}/`, token: 'title' }], columns, symbols.ellipsis)} />
      {shown.map(({ path, name, depth }) => (
        <LineView
          key={path}
          line={fitLine(
            [{ text: `   ${'  '.repeat(depth)}` }, { text: name, token: name.endsWith('/') ? 'accent' : undefined }],
            columns,
            symbols.ellipsis,
          )}
        />
      ))}
      {shown.length < lines.length && (
        <LineView line={[{ text: `   and ${lines.length - shown.length} more`, token: 'muted' }]} />
      )}
    </Box>
  );
}
