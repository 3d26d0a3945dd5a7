import { afterEach, describe, expect, it } from 'vitest';
import { textFile } from '../helpers/dev-project.ts';
import { exhaustedInotify } from '../helpers/exhausted-inotify.ts';
import { openDevScreen } from '../helpers/open-dev-screen.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

let terminal: OpenTerminal;
afterEach(() => terminal.close());

const remedy =
  process.platform === 'linux'
    ? 'sudo sysctl fs.inotify.max_user_watches=524288'
    : 'ulimit -n 65536';

describe('a system without file watches', () => {
  it('is named on the dev screen, with what to set, and saves still arrive', async () => {
    const opened = await openDevScreen({ env: exhaustedInotify('ENOSPC', 0), size: [80, 24] });
    ({ terminal } = opened);
    await terminal.waitFor('The system has no file watches left, so files are polled for changes.');
    await terminal.waitFor(remedy);
    await writeTree(opened.folder, { 'src/text.ts': textFile('two') });
    const screen = await terminal.waitFor(/Reloaded in [\d.]+ m?s, src\/text\.ts changed/);
    expect(screen).toContain(remedy);
    expect(screen.split('\n')).toHaveLength(24);
  });

  it.each(['list', 'check'])(
    'is named on the screen of capix %s, which still loads what is saved',
    async (command) => {
      const folder = await scaffold();
      terminal = openTerminal([command], {
        cwd: folder,
        columns: 100,
        rows: 24,
        env: exhaustedInotify('ENOSPC', 0),
      });
      await terminal.waitFor(remedy);
      await writeTree(folder, { 'src/capabilities/items/list.ts': 'export const = 1;' });
      await terminal.waitFor(/Unexpected token/);
    },
  );
});
