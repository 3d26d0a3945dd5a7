import type { KeyBinding } from '../ui/key-table.ts';
import { findSelected, type ListState } from '../ui/list-state.ts';
import { ListView } from '../ui/list-view.tsx';
import { ScreenFrame } from '../ui/screen-frame.tsx';
import { useKeys } from '../ui/use-keys.ts';
import { useKept, useScreen } from '../ui/use-screen.ts';
import { useBodySize, useUi } from '../ui/use-ui.ts';
import { toHomeItems } from './home-view-model.ts';
import { useCallHistory } from './use-call-history.ts';
import { useServer } from './use-server.ts';

const bindings: readonly KeyBinding<'open'>[] = [
  { action: 'open', keys: ['enter'], help: 'Open, or say how to run it', hint: 'open' },
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
  const { terminal, project, noProject, help, go, exit } = useScreen();
  const { columns, rows } = useBodySize();
  const { symbols } = useUi();
  const [list, setList] = useKept<ListState | undefined>('list', undefined);
  const serverUrl = useServer(Number(terminal.environment['PORT']) || 3000);
  const items = toHomeItems({
    manifest: project.manifest,
    hasProject: noProject === undefined,
    help,
    serverUrl,
    calls: useCallHistory(project.manifest?.project.root),
    symbols,
  });
  useKeys({
    title: 'Home',
    bindings,
    onAction: () => {
      const selected = findSelected(items, list, ({ id }) => id);
      if (selected?.route) go(selected.route);
      else if (selected?.usage) exit({ message: `Run: capix ${selected.usage}` });
    },
  });
  return (
    <ListView
      items={items}
      getKey={({ id }) => id}
      toLine={({ line }) => line}
      state={list}
      onState={setList}
      columns={columns}
      rows={rows}
      title="Home"
    />
  );
}
