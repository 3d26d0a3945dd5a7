import { Box } from 'ink';
import { useCallback, useMemo } from 'react';
import type { ActionWords } from '../kit/actions.ts';
import { fitLine, toLineText } from '../kit/line.ts';
import { LineView } from '../kit/line-view.tsx';
import { toRowLine } from '../kit/row.ts';
import { RowsView } from '../kit/rows-view.tsx';
import { cutStart, textWidth } from '../kit/text.ts';
import { signs } from '../kit/theme.ts';
import { useLatest } from '../kit/use-kept.ts';
import { useRows } from '../kit/use-rows.ts';
import { useBodySize } from '../kit/use-ui.ts';
import { toOutline } from '../load/project-state.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { ScreenFrame } from '../screens/screen-frame.tsx';
import { useMarkedItems } from '../screens/use-marks.ts';
import { useRowActions } from '../screens/use-row-actions.ts';
import { useScreen } from '../screens/use-screen.ts';
import { findChangedFiles } from '../sides/git/find-changed-files.ts';
import { openInBrowser } from '../system/user-programs.ts';
import { type HomeRow, rowsWithoutProject, toHomeRows } from './home-rows.ts';
import { type HomeFacts, useHomeFacts } from './use-home-facts.ts';

/** `capix` alone, in a terminal: what this project is, and the way to everything. */
export default function HomeScreen() {
  return (
    <ScreenFrame screen="home">
      <HomeBody />
    </ScreenFrame>
  );
}

const actions = ['go', 'copy', 'edit', 'differences'] as const;
const words: ActionWords = {
  go: { help: 'Open it' },
  differences: { help: 'What has changed for callers since the last commit', hint: 'diff' },
};

function HomeBody() {
  const { terminal, project, findings, noProject, go, notify } = useScreen();
  const { columns, rows } = useBodySize();
  const facts = useHomeFacts(toOutline(project)?.project.root, terminal);
  const changedFiles = useChangedFiles(project.manifest);
  const all = useMemo(
    () => (noProject ? rowsWithoutProject : toHomeRows({ project, findings, facts, changedFiles })),
    [noProject, project, findings, facts, changedFiles],
  );
  const list = useRows<HomeRow>(all, 'home');
  const counts = all.filter(({ id }) => id === 'capabilities' || id === 'problems');
  const marked = useMarkedItems(counts, toRowText);
  useRowActions(list, {
    title: 'Home',
    actions,
    words,
    onAction: (action) => {
      const url = list.selected?.url;
      if (action === 'differences') go({ screen: 'diff', before: 'HEAD' });
      else if (action === 'go' && url !== undefined) void openInBrowser(url).then(() => notify(`Opened ${url}`));
      else return false;
      return true;
    },
  });
  return (
    <Box flexDirection="column" height={rows}>
      <About facts={facts} columns={columns} />
      <RowsView
        list={list}
        columns={columns}
        rows={rows - 1}
        title="Home"
        marked={new Set(counts.filter((row) => marked.has(toRowText(row))).map(({ id }) => id))}
      />
    </Box>
  );
}

function toRowText(row: HomeRow): string {
  return toLineText(toRowLine(row, 0));
}

/** Columns that the end of the path keeps beside a long description. */
const MIN_PATH = 20;

function About({ facts, columns }: { readonly facts: HomeFacts; readonly columns: number }) {
  const { terminal, project, noProject } = useScreen();
  const { version, description } = facts;
  const { root, config } = toOutline(project)?.project ?? {};
  const { HOME = '' } = terminal.environment;
  const folder = HOME !== '' && root?.startsWith(`${HOME}/`) ? `~${root.slice(HOME.length)}` : root;
  const about = [description, version].filter(Boolean).join(` ${signs.dot} `);
  const before = about === '' ? '' : `${about} ${signs.dot} `;
  const path = folder === undefined ? '' : `${folder}/${config}`;
  const room = Math.max(MIN_PATH, columns - textWidth(before) - 2);
  const text = noProject ? 'There is no project in this folder.' : before + cutStart(path, room);
  return <LineView line={fitLine([{ text: `  ${text}`, token: 'muted' }], columns)} />;
}

/** The files that differ from the last commit, read after each save; undefined where there is no commit. */
function useChangedFiles(manifest: Manifest | undefined): readonly string[] | undefined {
  const load = useCallback(async () => manifest && findChangedFiles(manifest.project.root), [manifest]);
  return useLatest(load, undefined);
}
