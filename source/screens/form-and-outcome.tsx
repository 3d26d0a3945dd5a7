import { useState } from 'react';
import type { FormField } from '../document/form-field.ts';
import { toFormRows } from '../form/form-rows.ts';
import type { Form, FormState } from '../form/form-state.ts';
import { FormView } from '../form/form-view.tsx';
import type { KeyHandlers } from '../kit/actions.ts';
import { Keys } from '../kit/keys.tsx';
import type { Line } from '../kit/line.ts';
import { ScrollView } from '../kit/rows-view.tsx';
import { useBodySize } from '../kit/use-ui.ts';
import { TwoPanes } from './master-detail.tsx';

export interface FormAndOutcomeProps {
  readonly form: Form;
  readonly onState: (state: FormState) => void;
  readonly problems: ReadonlyMap<string, string>;
  /** The effect of Enter and Ctrl-S, for the help, and its name in the key line. */
  readonly help: string;
  readonly hint: string;
  /** Missing where nothing can be written. */
  readonly onWrite?: (() => void) | undefined;
  /** Says what comes of the form, in so many columns. */
  readonly toLines: (columns: number) => readonly Line[];
}

/** Rows that the outcome keeps, whatever the form takes: a rule, and what is wrong with the form. */
const OUTCOME_ROWS = 4;

/** A form of a few fields, and what comes of it: beside it in a wide window, else below. */
export function FormAndOutcome(props: FormAndOutcomeProps) {
  const { form, onState, problems, help, hint, onWrite, toLines } = props;
  const { columns, rows } = useBodySize();
  const [offset, setOffset] = useState(0);
  const formRows = toFormRows(form.field, form.state);
  // The words about a field that do not fit beside it stand below all of them.
  const formHeight = formRows.length + 2;
  return (
    <Keys
      isForm
      isActive={onWrite !== undefined}
      actions={{
        go: { help, hint, run: () => onWrite?.() },
        send: { help, run: () => onWrite?.() },
      }}
    >
      <TwoPanes
        columns={columns}
        rows={rows}
        secondColumns={(all) => all - Math.floor(all / 2)}
        secondRows={() => Math.max(OUTCOME_ROWS, rows - formHeight)}
        first={(size) => (
          <FormView
            formRows={formRows}
            state={form.state}
            onState={onState}
            problems={problems}
            isTried={false}
            takesNull={false}
            columns={size.columns}
            rows={Math.min(size.rows, formHeight)}
          />
        )}
        second={(size) => (
          <ScrollView
            {...size}
            lines={toLines(size.columns - 2)}
            offset={offset}
            onOffset={setOffset}
            toKeys={toPageKeys}
          />
        )}
      />
    </Keys>
  );
}

function toPageKeys(move: (action: 'pageDown' | 'pageUp') => void): KeyHandlers {
  return {
    pageDown: { keys: ['pagedown'], help: 'Scroll the text down', run: () => move('pageDown') },
    pageUp: { keys: ['pageup'], help: 'Scroll the text up', run: () => move('pageUp') },
  };
}

/** A question that may stay without an answer. */
export function toPlainField(name: string, kind: FormField['kind'], type = ''): FormField {
  return { name, kind, type, isRequired: false, note: '' };
}
