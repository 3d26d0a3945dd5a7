import { Box } from 'ink';
import { fitLine, type Line, lineWidth } from '../kit/line/line.ts';
import { LineView } from '../kit/line/line-view.tsx';
import { FilteredListView } from '../kit/list/filtered-list-view.tsx';
import { cutStart, textWidth } from '../kit/text/text-width.ts';
import { type Size, useBodySize, useUi } from '../kit/theme/use-ui.ts';
import { toOutline } from '../load/project-state.ts';
import { ScreenFrame } from '../screens/shell/screen-frame.tsx';
import { TwoPanes } from '../screens/two-panes.tsx';
import { useScreen } from '../screens/use-screen.ts';
import { CommandPane } from './command-pane.tsx';
import type { HomeItem } from './home-item.ts';
import { useHome } from './use-home.ts';
import type { HomeFacts } from './use-home-facts.ts';

/** `capix` alone, in a terminal: what this project is, and the way to everything. */
export default function HomeScreen() {
  return (
    <ScreenFrame screen="home">
      <HomeBody />
    </ScreenFrame>
  );
}

function HomeBody() {
  const { columns, rows } = useBodySize();
  const { facts, list, eventList, hasEvents, isEventFocused, usage, closeUsage, isMarked } = useHome();
  if (usage !== undefined) return <CommandPane {...{ usage, columns, rows }} onClose={closeUsage} />;
  const view = { toLine, isApart: ({ isApart = false }: HomeItem) => isApart, isMarked };
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
  return Math.min(Math.floor(columns / 2), columns - MIN_WAYS);
}

/** Columns of the ways with their words in brief, and of the line beside them. */
const MIN_WAYS = 60;

/** A line as long as there is room for it, and the words after it, as many as stand there whole. */
function toLine({ line: whole, shorter = [], hint, brief = hint }: HomeItem, columns: number): Line {
  const line = [whole, ...shorter].find((one) => lineWidth(one) <= columns) ?? shorter.at(-1) ?? whole;
  const room = columns - lineWidth(line);
  const said = [hint, brief].find((text) => text !== undefined && textWidth(text) <= room);
  return said === undefined ? line : [...line, { text: said, token: 'muted' }];
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
