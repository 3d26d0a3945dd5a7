import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { toApiSchema } from '../document/branch.ts';
import { toRootField } from '../document/root-field.ts';
import { toFormRows, toRowProblems } from '../form/form-rows.ts';
import { toFilledForm } from '../form/form-state.ts';
import { toFormValue } from '../form/form-value.ts';
import { FilterKeys, FilterLine, type LineOpener } from '../kit/filter-line.tsx';
import { Keys } from '../kit/keys.tsx';
import { fitLine, type Line, lineWidth, toTextLines } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { isFilterShown } from '../kit/list-state.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { signs } from '../kit/theme.ts';
import type { Size } from '../kit/use-ui.ts';
import { FormAndOutcome } from '../screens/form-and-outcome.tsx';
import { useServices } from '../screens/use-screen.ts';
import type { OpenQuestion } from './live-call.ts';
import { type AnswerOptions, toAnswerHead, useAnswer } from './use-answer.ts';

export interface AnswerViewProps extends Size, AnswerOptions {
  readonly filled: unknown;
  readonly runningMs: number;
}

const queryOpener: LineOpener = {
  keys: ['$'],
  help: 'Query: JSONPath, or .data[].name',
  hint: 'query',
};

export function AnswerView({ filled, runningMs, rows, ...options }: AnswerViewProps) {
  const { state, live, columns, isFocused } = options;
  const { list, actions, toHeader, filter, setFilter, found } = useAnswer(options);
  const isActive = isFocused && state.kind === 'answered';
  const query = { state: filter, onState: setFilter, isActive, opener: queryOpener };
  const head = toAnswerHead(state, { runningMs, filled, itemCount: live.itemCount });
  const height = rows - 1 - (isFilterShown(filter) ? 1 : 0);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <RuleLine line={head} columns={columns} />
      <Keys actions={actions} isActive={isFocused && state.kind !== 'none'}>
        <FilterKeys {...query}>
          <RowsView {...{ list, toHeader, columns, isFocused }} rows={height} empty="">
            <FilterLine
              {...query}
              columns={columns}
              count={found.slice(0, Math.floor(columns / 2))}
              placeholder=".data[].name"
            />
          </RowsView>
        </FilterKeys>
      </Keys>
    </Box>
  );
}

function RuleLine({ line, columns }: { readonly line: Line; readonly columns: number }) {
  const begun: Line = [
    { text: `${signs.line.repeat(2)} `, token: 'muted' },
    ...line,
    { text: ' ' },
  ];
  const rule = signs.line.repeat(Math.max(0, columns - lineWidth(begun)));
  return <LineView line={fitLine([...begun, { text: rule, token: 'muted' }], columns)} />;
}

/** A question of the capability that is being called, and the form of its answer. */
export function Question({ question: { question, answer } }: { readonly question: OpenQuestion }) {
  const { notify } = useServices();
  const field = useMemo(() => toRootField(toApiSchema(question.schema)), [question]);
  const [state, onState] = useState(() => toFilledForm(field, question.content));
  const { value: content = {}, problems } = toFormValue(field, state);
  const fieldProblems = new Map(question.problems.map(({ path, message }) => [path, message]));
  const onWrite = (): void => {
    if (problems.size === 0) answer({ action: 'accept', content });
    else notify('The marked fields cannot be sent.');
  };
  return (
    <Keys
      actions={{
        no: {
          keys: ['ctrl+x n', 'alt+n'],
          help: 'Decline to answer',
          hint: 'decline',
          run: () => answer({ action: 'decline' }),
        },
        back: {
          help: 'Cancel the question',
          hint: 'cancel',
          run: () => answer({ action: 'cancel' }),
        },
      }}
    >
      <FormAndOutcome
        form={{ field, state }}
        onState={onState}
        problems={new Map([...toRowProblems(toFormRows(field, state), fieldProblems), ...problems])}
        help="Answer the question"
        hint="answer"
        onWrite={onWrite}
        toLines={(columns) => [
          [{ text: 'The capability asks', token: 'title' }],
          ...toTextLines(question.message, columns),
        ]}
      />
    </Keys>
  );
}
