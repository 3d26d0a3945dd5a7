import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import type { ListEntry } from '../kit/list/list-entry.ts';
import type { ListState } from '../kit/list/list-state.ts';
import type { FilteredList } from '../kit/list/use-filtered-list.ts';
import { useGroupedList } from '../kit/list/use-grouped-list.ts';
import { useFoldKeys } from '../kit/list/use-groups.ts';
import type { Problem } from '../manifest/problem.ts';
import { type Details, paneBinding, useDetails } from '../screens/use-details.ts';
import { useScreen } from '../screens/use-screen.ts';
import { toProblemId, toProblemText } from './problem-line.ts';

type CheckAction = 'show' | 'edit' | 'group' | 'copy' | 'pane';

const bindings: readonly KeyBinding<CheckAction>[] = [
  { action: 'edit', keys: ['e', 'enter'], help: 'Open the source in $EDITOR', hint: 'edit' },
  { action: 'show', keys: ['s'], help: 'Show the capability', hint: 'show' },
  { action: 'copy', keys: ['y'], help: 'Copy the problem', hint: 'copy' },
  { action: 'group', keys: ['v'], help: 'Group the problems by their rule, or show them in one list' },
  paneBinding,
];

interface CheckView {
  readonly list: FilteredList<ListEntry<Problem>>;
  readonly isGrouped: boolean;
  readonly details: Details;
}

/** The state of the screen, and its keys. */
export function useCheck(problems: readonly Problem[]): CheckView {
  const { go, edit, copy, notify } = useScreen();
  const grouped = useGroupedList(problems, {
    name: 'list',
    getKey: toProblemId,
    getText: toProblemText,
    getGroup: toRule,
  });
  const { isGrouped, toggle, toggleGrouped } = grouped;
  const { selected } = grouped.list;
  const details = useDetails(selected !== undefined);
  const onState = (state: ListState): void => {
    details.rewind();
    grouped.list.onState(state);
  };
  useFoldKeys(grouped, { selected, onState, isActive: isGrouped && !details.isFocused });
  useKeys<CheckAction>({
    title: 'Problem',
    bindings,
    isActive: selected !== undefined,
    onAction: (action) => {
      if (action === 'pane') return details.toggle();
      if (action === 'group') return toggleGrouped();
      if (selected === undefined) return;
      if (selected.kind === 'group') {
        if (action === 'edit') toggle(selected.id);
        else if (action === 'copy') copy(selected.name, selected.name);
        else notify('Choose one of its problems');
        return;
      }
      const { keys, file, line, message, hint = '' } = selected.row;
      if (action === 'edit') edit(file === undefined ? undefined : { file, line });
      else if (action === 'copy') copy(`${message}\n${hint}`, 'the problem');
      else if (keys[0] !== undefined) go({ screen: 'show', key: keys[0] });
    },
  });
  return {
    list: { ...grouped.list, onState },
    isGrouped,
    details,
  };
}

function toRule({ code }: Problem): string {
  return code;
}
