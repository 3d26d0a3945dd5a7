import { Box } from 'ink';
import { useMemo, useState } from 'react';
import { toFormRows } from '../kit/form/form-rows.ts';
import { toFilledForm } from '../kit/form/form-state.ts';
import { toFormValue } from '../kit/form/form-value.ts';
import { FormView } from '../kit/form/form-view.tsx';
import { toRowProblems } from '../kit/form/to-row-problems.ts';
import { toFormBindings } from '../kit/keys/actions.ts';
import { keyPriority } from '../kit/keys/key-stack.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { fitLine } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { wrapText } from '../kit/text/text-width.ts';
import { signs } from '../kit/theme/tokens.ts';
import { type Size } from '../kit/theme/use-ui.ts';
import { useScreen } from '../screens/use-screen.ts';
import { toShape } from '../shape/read/to-shape.ts';
import { toRootField } from '../shape/root-field.ts';
import { stripControl } from '../terminal/control/strip-control.ts';
import type { OpenQuestion } from './use-call.ts';

const bindings = toFormBindings(['go', 'no', 'back'], {
  go: { help: 'Answer the question', hint: 'answer' },
  no: { keys: ['ctrl+x n', 'alt+n'], help: 'Decline to answer', hint: 'decline' },
  back: { help: 'Cancel the question', hint: 'cancel' },
});

/** A question of the capability that is being called, and the form of its answer. */
export function QuestionPane({ question, columns, rows }: Size & { readonly question: OpenQuestion }) {
  const { notify } = useScreen();
  const { asked, answer } = question;
  const field = useMemo(() => toRootField(toShape(asked.schema)), [asked]);
  const [state, setState] = useState(() => toFilledForm(field, asked.content));
  const [isTried, setIsTried] = useState(asked.problems.length > 0);
  const formRows = toFormRows(field, state);
  const said = toFormValue(field, state);
  const told = toRowProblems(formRows, new Map(asked.problems.map(({ path, message }) => [path, message])));
  useKeys({
    title: 'Question',
    bindings,
    priority: keyPriority.field + 4,
    onAction: (action) => {
      if (action !== 'go') return answer({ action: action === 'no' ? 'decline' : 'cancel' });
      if (said.problems.size === 0) return answer({ action: 'accept', content: said.value ?? {} });
      setIsTried(true);
      notify('The marked fields cannot be sent.');
    },
  });
  const lines = wrapText(stripControl(asked.message), columns - 4).slice(0, Math.max(1, Math.floor(rows / 2)));
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <LineView line={fitLine([{ text: `${signs.line.repeat(2)} The capability asks`, token: 'title' }], columns)} />
      {lines.map((text, row) => (
        <LineView key={row} line={fitLine([{ text: `  ${text}` }], columns)} />
      ))}
      <FormView
        columns={columns}
        rows={Math.max(1, rows - 1 - lines.length)}
        formRows={formRows}
        state={state}
        onState={setState}
        isTried={isTried}
        problems={new Map([...told, ...said.problems])}
        empty="Enter says yes."
      />
    </Box>
  );
}
