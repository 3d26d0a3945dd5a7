import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openFixture } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

const noClipboard = {
  SSH_CONNECTION: '',
  SSH_TTY: '',
  TMUX: '',
  WAYLAND_DISPLAY: '',
  DISPLAY: '',
  WSL_DISTRO_NAME: '',
};

/** A folder before the others of PATH, with a program that keeps what it is given in files beside itself. The one of macOS fails, unless it is this. */
async function openWithProgram(name: string, env: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  const file = join(folder, name);
  await writeFile(join(folder, 'pbcopy'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  await writeFile(
    file,
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${file}.words"\ncat > "${file}.text"\n`,
    { mode: 0o755 },
  );
  const { root } = await openFixture('shop');
  const path = `${folder}:${process.env['PATH'] ?? ''}`;
  terminal = openTerminal(['list'], {
    cwd: root,
    columns: 120,
    env: { ...noClipboard, PATH: path, ...env },
  });
  await terminal.waitFor(/^❯ /m);
  return {
    terminal,
    kept: () => readFile(`${file}.text`),
    words: () => readFile(`${file}.words`, 'utf8'),
  };
}

const remote = { SSH_CONNECTION: '10.0.0.1 50000 10.0.0.2 22' };

it.each([
  ...(process.platform === 'darwin'
    ? [{ name: 'pbcopy', env: {}, place: 'the clipboard', words: '\n' }]
    : []),
  { name: 'wl-copy', env: { WAYLAND_DISPLAY: 'wayland-0' }, place: 'the clipboard', words: '\n' },
  {
    name: 'xclip',
    env: { DISPLAY: ':0' },
    place: 'the clipboard',
    words: '-selection\nclipboard\n',
  },
  {
    name: 'tmux',
    env: { ...remote, DISPLAY: ':0', TMUX: '/tmp/tmux-0/default,1,0' },
    place: 'the buffer of tmux',
    words: 'load-buffer\n-w\n-\n',
  },
])(
  'copies by $name, and says that it is in $place',
  async ({ name, env, place, words: expected }) => {
    const { terminal: open, kept, words } = await openWithProgram(name, env);
    open.type('y');
    const screen = await open.waitFor('Copied');
    const [, key = ''] = /Copied (\S+) to/.exec(screen) ?? [];
    expect(screen).toContain(`Copied ${key} to ${place}`);
    expect([`${await kept()}`, await words()]).toEqual([key, expected]);
    expect(open.output()).not.toContain('\u001B]52;');
  },
);

it('hands Windows its own kind of text', async () => {
  const { terminal: open, kept } = await openWithProgram('clip.exe', { WSL_DISTRO_NAME: 'Debian' });
  open.type('y');
  const [, key = ''] = /Copied (\S+) to the clipboard/.exec(await open.waitFor('Copied')) ?? [];
  expect((await kept()).toString('utf16le')).toBe(`\uFEFF${key}`);
});

it('copies by the terminal where the clipboard of this machine is not that of the user, and says that it may not have arrived', async () => {
  const { terminal: open, kept } = await openWithProgram('xclip', { ...remote, DISPLAY: ':0' });
  open.type('y');
  const [, key = ''] =
    /Sent (\S+) to the terminal, for its clipboard/.exec(await open.waitFor('Sent')) ?? [];
  expect(open.output()).toContain(`\u001B]52;c;${Buffer.from(key).toString('base64')}\u0007`);
  await expect(kept()).rejects.toThrow('ENOENT');
});
