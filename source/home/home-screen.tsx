import { Box } from 'ink';
import { useCallback, useMemo } from 'react';
import { fitLine, toLineText } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { toRowLine } from '../kit/row.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { cutStart } from '../kit/text.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize, useLatest, usePolled } from '../kit/use-ui.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { ScreenFrame } from '../screens/screen-frame.tsx';
import { useMarkedRows } from '../screens/use-marks.ts';
import { useRowActions } from '../screens/use-row-actions.ts';
import { useNavigation, useProject, useServices } from '../screens/use-screen.ts';
import { findChangedFiles } from '../sides/git/find-commit.ts';
import { openInBrowser } from '../system/user-programs.ts';
import { type HomeFacts, noHomeFacts, readHomeFacts } from './home-facts.ts';
import { type HomeRow, rowsWithoutProject, toHomeRows } from './home-rows.ts';

/** `capix` alone, in a terminal: what this project is, and the way to everything. */
export default function HomeScreen() {
  return (
    <ScreenFrame screen="home">
      <HomeBody />
    </ScreenFrame>
  );
}

function HomeBody() {
  const { terminal, notify } = useServices();
  const { go } = useNavigation();
  const { project, findings } = useProject();
  const { noProject } = project;
  const { columns, rows } = useBodySize();
  const { root, config } = project.manifest?.project ?? {};
  const facts = useHomeFacts(root);
  const changedFiles = useChangedFiles(project.manifest);
  const all = useMemo(
    () => (noProject ? rowsWithoutProject : toHomeRows({ project, findings, facts, changedFiles })),
    [noProject, project, findings, facts, changedFiles],
  );
  const list = useRows<HomeRow>(all, 'home');
  const row = useRowActions(list);
  const url = list.selected?.url;
  const actions = {
    go: {
      help: 'Open it',
      run:
        url === undefined
          ? row.go.run
          : () => void openInBrowser(url).then(() => notify(`Opened ${url}`)),
    },
    copy: row.copy,
    edit: row.edit,
    differences: {
      help: 'What has changed for callers since the last commit',
      run: () => go({ screen: 'diff', before: 'HEAD' }),
    },
  };
  const { HOME = '' } = terminal.environment;
  const folder = HOME !== '' && root?.startsWith(`${HOME}/`) ? `~${root.slice(HOME.length)}` : root;
  const path = folder === undefined ? '' : cutStart(`${folder}/${config}`, columns - 2);
  const about = noProject ? 'There is no project in this folder.' : path;
  return (
    <Box flexDirection="column" height={rows}>
      <LineView line={fitLine([{ text: `  ${about}`, token: 'muted' }], columns)} />
      <RowsView
        list={list}
        columns={columns}
        rows={rows - 1}
        actions={actions}
        marked={useMarkedRows(all, toCountText)}
      />
    </Box>
  );
}

/**
 * Facts that are read again while the screen is open. `root`: absolute path of the project, undefined until it is
 * known.
 */
function useHomeFacts(root: string | undefined): HomeFacts {
  const read = useCallback(
    async () => (root === undefined ? noHomeFacts : readHomeFacts(root)),
    [root],
  );
  return usePolled(read, noHomeFacts);
}

/** The text of the rows that a save changes. */
function toCountText(row: HomeRow): string {
  return row.id === 'capabilities' || row.id === 'problems' ? toLineText(toRowLine(row, 0)) : '';
}

/** The files that differ from the last commit, read after each save; undefined where there is no commit. */
function useChangedFiles(manifest: Manifest | undefined): readonly string[] | undefined {
  const load = useCallback(
    async () => manifest && findChangedFiles(manifest.project.root),
    [manifest],
  );
  return useLatest(load, undefined);
}
