import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { toLineText } from '../kit/line/line.ts';
import { type FilteredList, useFilteredList } from '../kit/list/use-filtered-list.ts';
import { useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { toOutline } from '../load/project-state.ts';
import { useMarkedItems } from '../screens/marks/use-marked-items.ts';
import { isWideBody } from '../screens/two-panes.tsx';
import { paneBinding } from '../screens/use-details.ts';
import { useScreen } from '../screens/use-screen.ts';
import { openInBrowser } from '../system/open-in-browser.ts';
import type { HomeItem } from './home-item.ts';
import { toHomeItems } from './home-items.ts';
import { type HomeFacts, useHomeFacts } from './use-home-facts.ts';
import { useSinceHead } from './use-since-head.ts';

type HomeAction = 'open' | 'copy' | 'edit' | 'pane';

const bindings: readonly KeyBinding<HomeAction>[] = [
  { action: 'open', keys: ['enter'], help: 'Open it, or show how to run it', hint: 'open' },
  { action: 'copy', keys: ['y'], help: 'Copy the address, the call or the command', hint: 'copy' },
  { action: 'edit', keys: ['e'], help: 'Open the source in $EDITOR', hint: 'edit' },
];

const wideBindings = [...bindings, paneBinding];

export interface Home {
  readonly facts: HomeFacts;
  readonly list: FilteredList<HomeItem>;
  readonly eventList: FilteredList<HomeItem>;
  readonly hasEvents: boolean;
  readonly isEventFocused: boolean;
  /** The command whose use is shown. */
  readonly usage: string | undefined;
  readonly closeUsage: () => void;
  readonly isMarked: (item: HomeItem) => boolean;
}

/** The state of the screen of home, and its keys. */
export function useHome(): Home {
  const { terminal, project, findings, noProject, help } = useScreen();
  const { columns } = useBodySize();
  const { symbols } = useUi();
  const facts = useHomeFacts(toOutline(project)?.project.root, terminal);
  const since = useSinceHead();
  const hasProject = noProject === undefined;
  const isWide = isWideBody({ columns });
  const { ways, events } = toHomeItems({ project, findings, hasProject, facts, since, help, symbols }, isWide);
  const list = useFilteredList(ways, { name: 'list', getKey: toItemId, getText: toItemText });
  const eventList = useFilteredList(events, { name: 'events', getKey: toItemId, getText: toItemText });
  const [isAtEvents, setIsAtEvents] = useKept('at events', false);
  const hasEvents = events.length > 0;
  const isEventFocused = isAtEvents && hasEvents;
  const [usage, setUsage] = useKept<string | undefined>('command', undefined);
  const marked = useMarkedItems(
    ways.filter(({ id }) => id === 'capabilities' || id === 'problems'),
    toItemText,
  );
  useHomeKeys({
    selected: (isEventFocused ? eventList : list).selected,
    onPane: hasEvents ? () => setIsAtEvents(!isAtEvents) : undefined,
    onUsage: setUsage,
    isActive: usage === undefined,
  });
  return {
    facts,
    list,
    eventList,
    hasEvents,
    isEventFocused,
    usage,
    closeUsage: () => setUsage(undefined),
    isMarked: (item) => marked.has(toItemText(item)),
  };
}

interface HomeKeys {
  readonly selected: HomeItem | undefined;
  /** Gives the keys to the other pane; missing where there is one. */
  readonly onPane: (() => void) | undefined;
  /** Shows how a command is run. */
  readonly onUsage: (usage: string) => void;
  readonly isActive: boolean;
}

function useHomeKeys({ selected, onPane, onUsage, isActive }: HomeKeys): void {
  const { go, copy, edit, notify } = useScreen();
  useKeys<HomeAction>({
    title: 'Home',
    bindings: onPane ? wideBindings : bindings,
    isActive,
    onAction: (action) => {
      if (action === 'pane') return onPane?.();
      const { route, url, usage, copied, source } = selected ?? {};
      if (action === 'copy')
        return copied === undefined ? notify('There is nothing to copy here') : copy(copied, copied);
      if (action === 'edit') return edit(source);
      if (route) return go(route);
      if (usage) return onUsage(usage);
      if (url === undefined) return;
      notify(`Opens ${url} in the browser`);
      void openInBrowser(url);
    },
  });
}

function toItemId({ id }: HomeItem): string {
  return id;
}

function toItemText({ line, hint = '' }: HomeItem): string {
  return toLineText(line) + hint;
}
