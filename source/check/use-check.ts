import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { type FilteredList, useFilteredList } from '../kit/list/use-filtered-list.ts';
import type { Problem } from '../manifest/problem.ts';
import { type Details, paneBinding, useDetails } from '../screens/use-details.ts';
import { useScreen } from '../screens/use-screen.ts';
import { fixProblem } from './fix/fix-problem.ts';
import { toProblemId, toProblemText } from './problem-line.ts';

type CheckAction = 'show' | 'edit' | 'fix' | 'copy' | 'pane';

const bindings: readonly KeyBinding<CheckAction>[] = [
  { action: 'edit', keys: ['e', 'enter'], help: 'Open the source in $EDITOR', hint: 'edit' },
  { action: 'show', keys: ['s'], help: 'Show the capability', hint: 'show' },
  { action: 'fix', keys: ['F'], help: 'Fix the problem in the source, where that is mechanical', hint: 'fix' },
  { action: 'copy', keys: ['y'], help: 'Copy the problem', hint: 'copy' },
  paneBinding,
];

interface CheckView {
  readonly list: FilteredList<Problem>;
  readonly details: Details;
}

/** The state of the screen, and its keys. */
export function useCheck(problems: readonly Problem[]): CheckView {
  const { go, edit, copy, notify, project } = useScreen();
  const list = useFilteredList(problems, { name: 'list', getKey: toProblemId, getText: toProblemText });
  const { selected } = list;
  const details = useDetails(selected !== undefined);
  useKeys<CheckAction>({
    title: 'Problem',
    bindings,
    isActive: selected !== undefined,
    onAction: (action) => {
      if (action === 'pane') return details.toggle();
      if (selected === undefined) return;
      const { keys, file, line, message, hint = '' } = selected;
      if (action === 'edit') edit(file === undefined ? undefined : { file, line });
      else if (action === 'fix') void fixProblem(selected, project).then(notify);
      else if (action === 'copy') copy(`${message}\n${hint}`, 'the problem');
      else if (keys[0] !== undefined) go({ screen: 'show', key: keys[0] });
    },
  });
  return {
    list: {
      ...list,
      onState: (state) => {
        details.rewind();
        list.onState(state);
      },
    },
    details,
  };
}
