import { cleanUp } from './clean-up.ts';
import { devProject } from './dev-project.ts';
import { type OpenTerminal, openTerminal } from './open-terminal.ts';

export interface OpenDevScreen {
  readonly terminal: OpenTerminal;
  readonly folder: string;
  readonly url: string;
}

const open = new Set<OpenTerminal>();

cleanUp.afterEachTest.add(async () => {
  await Promise.all([...open].map((terminal) => terminal.close()));
  open.clear();
});

export interface DevScreenOptions {
  /** Over those of the project with one capability. */
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Columns and rows. @default 100 and 30 */
  readonly size?: readonly [columns: number, rows: number];
}

/** Opens `capix dev` in a pseudo-terminal and waits until its server answers. */
export async function openDevScreen(
  { files = {}, args = [], env = {}, size: [columns, rows] = [100, 30] }: DevScreenOptions = {},
  address = /http:\/\/localhost:\d+/,
): Promise<OpenDevScreen> {
  const folder = await devProject(files);
  const terminal = openTerminal(['dev', '--port', '0', ...args], {
    cwd: folder,
    env,
    columns,
    rows,
  });
  open.add(terminal);
  const screen = await terminal.waitFor(address);
  return { terminal, folder, url: /http:\S+/.exec(screen)?.[0] ?? '' };
}

/** Goes to a view of the dev screen: `openTab(terminal, '2', 'requests 1')`. */
export async function openTab(terminal: OpenTerminal, key: string, tab: string): Promise<void> {
  terminal.type(key);
  await terminal.waitFor(`[${key} ${tab}`);
}
