import type { KeyBinding } from '../../kit/keys/key-binding.ts';
import { keyPriority } from '../../kit/keys/key-stack.ts';
import { useKeys } from '../../kit/keys/use-keys.ts';
import { findSelected } from '../../kit/list/list-state.ts';
import { moveInTree, toTreeRows } from '../../kit/tree/tree-state.ts';
import type { FilteredTree } from '../../kit/tree/use-filtered-tree.ts';
import type { ManifestCapability } from '../../manifest/manifest.ts';
import { useScreen } from '../../screens/use-screen.ts';
import type { CallResult } from '../run/call-protocol.ts';
import { type AnswerTab, answerTabs } from './answer-rows.ts';
import { toAnswerFileName } from './body-text.ts';
import { findLoggedPlace } from './find-logged-place.ts';
import type { AnswerUse } from './use-answer.ts';

/** The first status that says that the server has failed. */
const FAILED = 500;

type AnswerAction = 'open' | 'copy' | 'copyAll' | 'pager' | 'editor' | 'write' | 'wrap' | 'edit';

const bindings: readonly KeyBinding<AnswerAction>[] = [
  { action: 'open', keys: ['enter'], help: 'Open or close: an object, a list, a long text', hint: 'open' },
  { action: 'copy', keys: ['y'], help: 'Copy what is selected', hint: 'copy' },
  { action: 'write', keys: ['w'], help: 'Write the answer, or what the query finds, to a file', hint: 'write' },
  { action: 'pager', keys: ['o'], help: 'Open the answer in $PAGER', hint: 'pager' },
  { action: 'editor', keys: ['E'], help: 'Open the answer in $EDITOR' },
  {
    action: 'edit',
    keys: ['e'],
    help: 'Open the line that threw, or the source of the capability, in $EDITOR',
    hint: 'edit',
  },
  { action: 'copyAll', keys: ['Y'], help: 'Copy the whole answer' },
  { action: 'wrap', keys: ['W'], help: 'Wrap long lines, or cut them' },
];

const tabBindings: readonly KeyBinding<AnswerTab>[] = [
  { action: 'tree', keys: ['1'], help: 'The answer as a tree', hint: 'tabs', shown: '1-6' },
  { action: 'raw', keys: ['2'], help: 'The answer as it came' },
  { action: 'headers', keys: ['3'], help: 'The headers of the answer' },
  { action: 'log', keys: ['4'], help: 'The output of the code, and its uncaught errors' },
  { action: 'timing', keys: ['5'], help: 'How long each part took' },
  { action: 'compare', keys: ['6', 'd'], help: 'The differences from the previous answer' },
];

export interface AnswerKeysOptions {
  /** The place of the capability. */
  readonly source: ManifestCapability['source'];
  /** Absolute path of the project. */
  readonly root: string;
  readonly isActive: boolean;
}

/** The keys of the pane of an answer. */
export function useAnswerKeys(use: AnswerUse, { source, root, isActive }: AnswerKeysOptions): void {
  const { edit, editText, openInPager, copy } = useScreen();
  const { answer, tab, tree, list, toText } = use;
  const isPane = isActive && (answer !== undefined || answerTabs.indexOf(tab) > 0);
  useKeys<AnswerTab>({
    title: 'Answer',
    bindings: tabBindings,
    priority: keyPriority.field + 1,
    isActive: isActive && !use.query.isOpen && !tree.filter.isOpen && !list.filter.isOpen,
    onAction: use.setTab,
  });
  useKeys<AnswerAction>({
    title: 'Answer',
    bindings,
    priority: keyPriority.field + 2,
    isActive: isPane && !use.query.isOpen && !tree.filter.isOpen && !list.filter.isOpen,
    onAction: (action) => {
      if (action === 'wrap') return use.setWrapped(!use.isWrapped);
      if (action === 'edit') return void findThrown(answer?.result, root).then((place) => edit(place ?? source));
      if (action === 'open') return tab === 'tree' ? toggleSelected(tree) : undefined;
      if (action === 'copy') {
        const text = tab === 'tree' ? tree.selected?.copied : list.selected?.copied;
        return text === undefined ? undefined : copy(text, 'the answer');
      }
      if (answer === undefined) return undefined;
      const file = { name: toAnswerFileName(answer.result), text: toText() };
      if (action === 'copyAll') copy(file.text, 'the answer');
      else if (action === 'pager') openInPager(file);
      else if (action === 'editor') void editText(file);
      else use.write.open();
    },
  });
}

/** The place where what failed was thrown, here or in the server that `capix dev` runs. */
async function findThrown(result: CallResult | undefined, root: string): Promise<CallResult['place']> {
  if (result?.place !== undefined || result?.http === undefined || result.status < FAILED) return result?.place;
  return findLoggedPlace(root, result.http);
}

function toggleSelected({ nodes, state, onState }: FilteredTree): void {
  const rows = toTreeRows(nodes, state.toggled);
  const selected = findSelected(rows, state.list, ({ node }) => node.id);
  onState(moveInTree(state, 'toggle', { nodes, rows, selected }));
}
