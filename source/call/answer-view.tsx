import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { toApiSchema } from '../document/branch.ts';
import { toRootField } from '../document/root-field.ts';
import { toFormBindings } from '../kit/actions.ts';
import { FilterLine, type LineOpener } from '../kit/filter-line.tsx';
import { toFormRows, toRowProblems } from '../kit/form/form-rows.ts';
import { toFilledForm } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import { FormView } from '../kit/form/form-view.tsx';
import { keyPriority } from '../kit/key-stack.ts';
import { fitLine, type Line, lineWidth, toTextLines } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { isFilterShown } from '../kit/list-state.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { signs } from '../kit/theme.ts';
import { useKeys } from '../kit/use-keys.ts';
import type { Size } from '../kit/use-ui.ts';
import { useScreen } from '../screens/use-screen.ts';
import { toAnswerHead } from './answer-outline.ts';
import { type AnswerOptions, useAnswer } from './use-answer.ts';
import type { OpenQuestion } from './use-call.ts';

export interface AnswerViewProps extends Size, AnswerOptions {
  /** The input of the form now. */
  readonly filled: unknown;
  readonly runningMs: number;
}

const queryOpener: LineOpener = { keys: ['$'], help: 'Query: JSONPath, or .data[].name', hint: 'query' };

/** The outcome of the last call. */
export function AnswerView({ filled, runningMs, rows, ...options }: AnswerViewProps) {
  const { state, live, columns, isFocused } = options;
  const { list, filter, setFilter, found } = useAnswer(options);
  const head = toAnswerHead(state, { runningMs, filled, itemCount: live.itemCount });
  const height = rows - 1 - (isFilterShown(filter) ? 1 : 0);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <RuleLine line={head} columns={columns} />
      <RowsView list={list} title="Answer" columns={columns} rows={height} isFocused={isFocused} empty="" />
      <FilterLine
        state={filter}
        onState={setFilter}
        columns={columns}
        count={found.slice(0, Math.floor(columns / 2))}
        placeholder=".data[].name"
        isActive={isFocused && state.kind === 'answered'}
        opener={queryOpener}
      />
    </Box>
  );
}

/** A line in a rule. */
function RuleLine({ line, columns }: { readonly line: Line; readonly columns: number }) {
  const begun: Line = [{ text: `${signs.line.repeat(2)} `, token: 'muted' }, ...line, { text: ' ' }];
  const rule = signs.line.repeat(Math.max(0, columns - lineWidth(begun)));
  return <LineView line={fitLine([...begun, { text: rule, token: 'muted' }], columns)} />;
}

const bindings = toFormBindings(['go', 'no', 'back'], {
  go: { help: 'Answer the question', hint: 'answer' },
  no: { keys: ['ctrl+x n', 'alt+n'], help: 'Decline to answer', hint: 'decline' },
  back: { help: 'Cancel the question', hint: 'cancel' },
});

/** A question of the capability that is being called, and the form of its answer. */
export function QuestionPane({ question, columns, rows }: Size & { readonly question: OpenQuestion }) {
  const { notify } = useScreen();
  const { asked, answer } = question;
  const field = useMemo(() => toRootField(toApiSchema(asked.schema)), [asked]);
  const [state, onState] = useState(() => toFilledForm(field, asked.content));
  const [isTried, setIsTried] = useState(asked.problems.length > 0);
  const formRows = toFormRows(field, state);
  const { value = {}, problems } = toFormValue(field, state);
  const told = toRowProblems(formRows, new Map(asked.problems.map(({ path, message }) => [path, message])));
  useKeys({
    title: 'Question',
    bindings,
    priority: keyPriority.field + 4,
    onAction: (action) => {
      if (action !== 'go') return answer({ action: action === 'no' ? 'decline' : 'cancel' });
      if (problems.size === 0) return answer({ action: 'accept', content: value });
      setIsTried(true);
      notify('The marked fields cannot be sent.');
    },
  });
  const lines = toTextLines(asked.message, columns - 4).slice(0, Math.max(1, Math.floor(rows / 2)));
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <RuleLine line={[{ text: 'The capability asks', token: 'title' }]} columns={columns} />
      {lines.map((line, row) => (
        <LineView key={row} line={fitLine([{ text: '  ' }, ...line], columns)} />
      ))}
      <FormView
        columns={columns}
        rows={Math.max(1, rows - 1 - lines.length)}
        {...{ formRows, state, onState, isTried }}
        problems={new Map([...told, ...problems])}
        empty="Enter says yes."
      />
    </Box>
  );
}
