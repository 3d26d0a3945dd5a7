import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { Keys } from '../kit/keys.tsx';
import { fitLine, type Line } from '../kit/line.ts';
import { LineView, LineViews } from '../kit/line-view.tsx';
import { textWidth, wrapText } from '../kit/text.ts';
import { TextField } from '../kit/text-field.tsx';
import { type TextFieldState, toTextField } from '../kit/text-field-state.ts';
import { signs } from '../kit/theme.ts';

export interface Question {
  readonly label: string;
  /** The answer that is offered first. @default none */
  readonly value?: string;
  readonly placeholder?: string;
  /** A second line: what the answer is, or what was wrong with the last one. */
  readonly note?: { readonly text: string; readonly isProblem: boolean } | undefined;
}

/** A question of yes or no. */
export interface Confirmation {
  /** `'openapi.json exists.'` */
  readonly text: string;
  readonly yes: string;
  readonly no: string;
}

/** The question that the shell has on its last rows. */
export type Prompt =
  | {
      readonly kind: 'ask';
      readonly question: Question;
      readonly answer: (text: string | undefined) => void;
    }
  | {
      readonly kind: 'confirm';
      readonly question: Confirmation;
      readonly answer: (isYes: boolean) => void;
    };

export interface Asks {
  /** Resolves with what is typed; undefined where it is cancelled. */
  readonly ask: (question: Question) => Promise<string | undefined>;
  readonly confirm: (question: Confirmation) => Promise<boolean>;
}

/** The question that a screen asks, one at a time, and the functions that ask, which stay the same. */
export function usePrompts(): readonly [Prompt | undefined, Asks] {
  const [prompt, setPrompt] = useState<Prompt>();
  const asks = useMemo((): Asks => {
    const show = <Answer,>(toPrompt: (answer: (value: Answer) => void) => Prompt) =>
      new Promise<Answer>((resolve) => setPrompt(toPrompt(resolve))).finally(() =>
        setPrompt(undefined),
      );
    return {
      ask: (question) => show((answer) => ({ kind: 'ask', question, answer })),
      confirm: (question) => show((answer) => ({ kind: 'confirm', question, answer })),
    };
  }, []);
  return [prompt, asks];
}

export const PROMPT_ROWS = 2;

/** The question, which has all keys until it is answered. */
export function PromptLines({
  prompt,
  columns,
}: {
  readonly prompt: Prompt;
  readonly columns: number;
}) {
  return prompt.kind === 'ask' ? (
    <AskLines {...prompt} columns={columns} />
  ) : (
    <ConfirmLines {...prompt} columns={columns} />
  );
}

type PromptProps<Kind extends Prompt['kind']> = Omit<
  Extract<Prompt, { readonly kind: Kind }>,
  'kind'
> & {
  readonly columns: number;
};

function AskLines({ question, answer, columns }: PromptProps<'ask'>) {
  const { label, value = '', placeholder = '', note } = question;
  const [field, setField] = useState<TextFieldState>(() => toTextField(value));
  const text = note === undefined ? '' : ` ${note.isProblem ? `${signs.cross} ` : ''}${note.text}`;
  return (
    <Keys
      actions={{
        go: { help: 'Go on', hint: 'go on', run: () => answer(field.text.trim()) },
        back: { help: 'Cancel', hint: 'cancel', run: () => answer(undefined) },
      }}
    >
      <Box flexDirection="column" width={columns} height={PROMPT_ROWS}>
        <Box height={1} gap={1}>
          <LineView line={[{ text: ` ${label}`, token: 'key' }]} />
          <TextField
            state={field}
            onState={setField}
            columns={columns - textWidth(label) - 3}
            placeholder={placeholder}
          />
        </Box>
        <LineView
          line={fitLine([{ text, token: note?.isProblem ? 'danger' : 'muted' }], columns)}
        />
      </Box>
    </Keys>
  );
}

/** Only `y` is a yes. */
function ConfirmLines({ question, answer, columns }: PromptProps<'confirm'>) {
  const { text, yes, no } = question;
  // The key line has the two answers as well, so a long question takes their row.
  const [first = '', ...rest] = wrapText(text, columns - 1);
  const lines: readonly Line[] = [
    [{ text: ` ${first}`, token: 'warning' }],
    rest.length === 0
      ? [{ text: ` y: ${yes}   n: ${no}`, token: 'key' }]
      : [{ text: ` ${rest.join(' ')}`, token: 'warning' }],
  ];
  return (
    <Keys
      actions={{
        yes: { help: yes, hint: yes, run: () => answer(true) },
        no: { help: no, hint: no, run: () => answer(false) },
      }}
    >
      <Box flexDirection="column" width={columns} height={PROMPT_ROWS}>
        <LineViews lines={lines} columns={columns} />
      </Box>
    </Keys>
  );
}
