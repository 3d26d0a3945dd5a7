import { useMemo, useState } from 'react';
import type { FormField } from '../document/form-field.ts';
import { toFormRows } from '../form/form-rows.ts';
import type { Form, FormState } from '../form/form-state.ts';
import { FormView } from '../form/form-view.tsx';
import { toBindings, toFormBindings } from '../kit/actions.ts';
import { keyPriority } from '../kit/key-stack.ts';
import type { Line } from '../kit/line.ts';
import { ScrollView } from '../kit/rows-view.tsx';
import { useKeys } from '../kit/use-keys.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { TwoPanes } from './master-detail.tsx';

export interface FormAndOutcomeProps {
  readonly title: string;
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
  const { title, form, onState, problems, help, hint, onWrite, toLines } = props;
  const { columns, rows } = useBodySize();
  const bindings = useMemo(
    () => toFormBindings(['go', 'send'], { go: { help, hint }, send: { help } }),
    [help, hint],
  );
  const [offset, setOffset] = useState(0);
  const formRows = toFormRows(form.field, form.state);
  useKeys({
    title,
    bindings,
    priority: keyPriority.field + 1,
    isActive: onWrite !== undefined,
    onAction: () => onWrite?.(),
  });
  // The words about a field that do not fit beside it stand below all of them.
  const formHeight = formRows.length + 2;
  return (
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
          title={title}
          lines={toLines(size.columns - 2)}
          offset={offset}
          onOffset={setOffset}
          bindings={pageBindings}
          priority={keyPriority.field + 1}
        />
      )}
    />
  );
}

const pageBindings = toBindings(['pageDown', 'pageUp'], {
  pageDown: { keys: ['pagedown'], help: 'Scroll the preview down' },
  pageUp: { keys: ['pageup'], help: 'Scroll the preview up' },
});

/** A question that may stay without an answer. */
export function toPlainField(name: string, kind: FormField['kind'], type = ''): FormField {
  return { name, kind, type, isRequired: false, note: '' };
}
