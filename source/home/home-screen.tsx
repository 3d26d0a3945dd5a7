import { Box } from 'ink';
import { useKept } from '../kit/kept/use-kept.ts';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { fitLine, type Line, lineWidth, toLineText } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { FilteredListView } from '../kit/list/filtered-list-view.tsx';
import { useFilteredList } from '../kit/list/use-filtered-list.ts';
import { cutStart, textWidth } from '../kit/text/text-width.ts';
import { type Size, useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { toOutline } from '../load/project-state.ts';
import { useMarkedItems } from '../screens/marks/use-marked-items.ts';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { isWideBody, TwoPanes } from '../screens/two-panes.tsx';
import { paneBinding } from '../screens/use-details.ts';
import { useScreen } from '../screens/use-screen.ts';
import { openInBrowser } from '../system/open-in-browser.ts';
import { CommandPane } from './command-pane.tsx';
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

/** `capix` alone, in a terminal: what this project is, and the way to everything. */
export default function HomeScreen() {
  return (
    <ScreenFrame screen="home">
      <HomeBody />
    </ScreenFrame>
  );
}

function HomeBody() {
  const { terminal, project, findings, noProject, help } = useScreen();
  const { columns, rows } = useBodySize();
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
  if (usage !== undefined) return <CommandPane {...{ usage, columns, rows }} onClose={() => setUsage(undefined)} />;
  const view = {
    toLine,
    isApart: ({ isApart = false }: HomeItem) => isApart,
    isMarked: (item: HomeItem) => marked.has(toItemText(item)),
  };
  const toWays = (size: Size) => (
    <FilteredListView {...size} {...view} list={list} title="Home" isFocused={!isEventFocused} />
  );
  return (
    <Box flexDirection="column" height={rows}>
      <About facts={facts} columns={columns} />
      {hasEvents ? (
        <TwoPanes
          columns={columns}
          rows={rows - 1}
          secondColumns={toEventColumns}
          secondRows={() => 0}
          onFocus={(pane) => setIsAtEvents(pane === 'second')}
          first={toWays}
          second={(size) => (
            <FilteredListView {...size} {...view} list={eventList} title="Home" isFocused={isEventFocused} />
          )}
        />
      ) : (
        toWays({ columns, rows: rows - 1 })
      )}
    </Box>
  );
}

function toEventColumns(columns: number): number {
  return Math.floor(columns / 2);
}

/** With less room, the words after a line would be cut to no use. */
const MIN_HINT = 20;

function toLine({ line, hint }: HomeItem, columns: number): Line {
  if (hint === undefined || columns - lineWidth(line) < MIN_HINT) return line;
  return [...line, { text: hint, token: 'muted' }];
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

/** Columns that the end of the path keeps beside a long description. */
const MIN_PATH = 20;

function About({ facts, columns }: { readonly facts: HomeFacts; readonly columns: number }) {
  const { terminal, project, noProject } = useScreen();
  const { symbols } = useUi();
  const { version, description } = facts;
  const { root, config } = toOutline(project)?.project ?? {};
  const { HOME = '' } = terminal.environment;
  const folder = HOME !== '' && root?.startsWith(`${HOME}/`) ? `~${root.slice(HOME.length)}` : root;
  const about = [description, version].filter(Boolean).join(` ${symbols.dot} `);
  const before = about === '' ? '' : `${about} ${symbols.dot} `;
  const path = folder === undefined ? '' : `${folder}/${config}`;
  const room = Math.max(MIN_PATH, columns - textWidth(before) - 2);
  const text = noProject ? 'There is no project in this folder.' : before + cutStart(path, room, symbols.ellipsis);
  return <LineView line={fitLine([{ text: `  ${text}`, token: 'muted' }], columns, symbols.ellipsis)} />;
}

function toItemId({ id }: HomeItem): string {
  return id;
}

function toItemText({ line, hint = '' }: HomeItem): string {
  return toLineText(line) + hint;
}
