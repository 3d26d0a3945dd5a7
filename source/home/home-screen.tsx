import { Box } from 'ink';
import type { KeyBinding } from '../kit/keys/key-binding.ts';
import { useKeys } from '../kit/keys/use-keys.ts';
import { fitLine, toLineText } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { FilteredListView } from '../kit/list/filtered-list-view.tsx';
import { useFilteredList } from '../kit/list/use-filtered-list.ts';
import { useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { toOutline } from '../load/project-state.ts';
import { useMarkedItems } from '../screens/marks/use-marked-items.ts';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { openInBrowser } from '../system/open-in-browser.ts';
import { type HomeItem, toHomeItems } from './home-items.ts';
import { type HomeFacts, useHomeFacts } from './use-home-facts.ts';

type HomeAction = 'open' | 'copy' | 'edit';

const bindings: readonly KeyBinding<HomeAction>[] = [
  { action: 'open', keys: ['enter'], help: 'Open it, or show how to run it', hint: 'open' },
  { action: 'copy', keys: ['y'], help: 'Copy the address, the call or the command', hint: 'copy' },
  { action: 'edit', keys: ['e'], help: 'Open the source in $EDITOR', hint: 'edit' },
];

/** `capix` alone, in a terminal: what this project is, and the way to everything. */
export default function HomeScreen() {
  return (
    <ScreenFrame screen="home">
      <HomeBody />
    </ScreenFrame>
  );
}

function HomeBody() {
  const { terminal, project, noProject, help } = useScreen();
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const facts = useHomeFacts(toOutline(project)?.project.root, terminal);
  const items = toHomeItems({ project, hasProject: noProject === undefined, facts, help, symbols });
  const list = useFilteredList(items, { name: 'list', getKey: ({ id }) => id, getText: toItemText });
  const marked = useMarkedItems(
    items.filter(({ id }) => id === 'capabilities' || id === 'problems'),
    toItemText,
  );
  useHomeKeys(list.selected);
  return (
    <Box flexDirection="column" height={rows}>
      <About facts={facts} columns={columns} />
      <FilteredListView
        list={list}
        toLine={({ line }) => line}
        isMarked={(item) => marked.has(toItemText(item))}
        columns={columns}
        rows={rows - 1}
        title="Home"
      />
    </Box>
  );
}

function useHomeKeys(selected: HomeItem | undefined): void {
  const { go, copy, edit, notify, exit } = useScreen();
  useKeys<HomeAction>({
    title: 'Home',
    bindings,
    onAction: (action) => {
      const { route, url, usage, copied, source } = selected ?? {};
      if (action === 'copy')
        return copied === undefined ? notify('There is nothing to copy here') : copy(copied, copied);
      if (action === 'edit') return edit(source);
      if (route) return go(route);
      if (usage) return exit({ message: `Run: capix ${usage}` });
      if (url === undefined) return;
      notify(`Opens ${url} in the browser`);
      void openInBrowser(url);
    },
  });
}

function About({ facts, columns }: { readonly facts: HomeFacts; readonly columns: number }) {
  const { terminal, project, noProject } = useScreen();
  const { symbols } = useUi();
  const { version, description } = facts;
  const { root, config } = toOutline(project)?.project ?? {};
  const { HOME = '' } = terminal.environment;
  const folder = HOME !== '' && root?.startsWith(`${HOME}/`) ? `~${root.slice(HOME.length)}` : root;
  const text = noProject
    ? 'There is no project in this folder.'
    : [description, version, folder && `${folder}/${config}`].filter(Boolean).join(` ${symbols.dot} `);
  return <LineView line={fitLine([{ text: `  ${text}`, token: 'muted' }], columns, symbols.ellipsis)} />;
}

function toItemText({ line }: HomeItem): string {
  return toLineText(line);
}
