import { useCallback, useState } from 'react';
import { ConfirmLine } from '../kit/field/confirm-line.tsx';
import { PromptLine } from '../kit/field/prompt-line.tsx';
import { type TextFieldState, toTextField } from '../kit/field/text-field-state.ts';

/** A question that is answered by typing. */
export interface Question {
  /** `'Write to'` */
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
  /** The action of `y`: `'replace it'`. */
  readonly yes: string;
  /** The action of `n`: `'keep it'`. */
  readonly no: string;
}

/** The question that the shell has on its last rows. */
export type Prompt =
  | { readonly kind: 'ask'; readonly question: Question; readonly answer: (text: string | undefined) => void }
  | { readonly kind: 'confirm'; readonly question: Confirmation; readonly answer: (isYes: boolean) => void };

export interface Prompts {
  readonly prompt: Prompt | undefined;
  /** Resolves with what is typed; undefined where it is cancelled. */
  readonly ask: (question: Question) => Promise<string | undefined>;
  readonly confirm: (question: Confirmation) => Promise<boolean>;
}

/** The questions that the screens ask, one at a time. */
export function usePrompts(): Prompts {
  const [prompt, setPrompt] = useState<Prompt>();
  const show = useCallback(<Answer,>(toPrompt: (answer: (value: Answer) => void) => Prompt) => {
    return new Promise<Answer>((resolve) =>
      setPrompt(
        toPrompt((value) => {
          setPrompt(undefined);
          resolve(value);
        }),
      ),
    );
  }, []);
  const ask: Prompts['ask'] = useCallback((question) => show((answer) => ({ kind: 'ask', question, answer })), [show]);
  const confirm: Prompts['confirm'] = useCallback(
    (question) => show((answer) => ({ kind: 'confirm', question, answer })),
    [show],
  );
  return { prompt, ask, confirm };
}

/** Rows of a question. */
export const PROMPT_ROWS = 2;

/** The question, which has all keys until it is answered. */
export function PromptLines({ prompt, columns }: { readonly prompt: Prompt; readonly columns: number }) {
  if (prompt.kind === 'ask') return <AskLines {...prompt} columns={columns} />;
  const { question, answer } = prompt;
  return <ConfirmLine {...question} onYes={() => answer(true)} onNo={() => answer(false)} columns={columns} />;
}

type AskProps = Omit<Extract<Prompt, { readonly kind: 'ask' }>, 'kind'> & { readonly columns: number };

function AskLines({ question, answer, columns }: AskProps) {
  const { label, value = '', ...more } = question;
  const [field, setField] = useState<TextFieldState>(() => toTextField(value));
  return (
    <PromptLine
      {...more}
      label={label}
      state={field}
      onState={setField}
      onEnter={() => answer(field.text.trim())}
      onCancel={() => answer(undefined)}
      columns={columns}
      isModal
    />
  );
}
