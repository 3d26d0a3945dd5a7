import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyToClipboard } from '../../../source/system/user-programs.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** A folder of programs that write what they are told into a file beside them, or fail. */
async function programs(wanted: Readonly<Record<string, 'works' | 'fails'>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, how] of Object.entries(wanted)) {
    const file = join(folder, name);
    const body =
      how === 'works' ? `/bin/cat > "${file}.text"; echo "$@" > "${file}.words"` : 'exit 1';
    await writeFile(file, `#!/bin/sh\n${body}\n`);
    await chmod(file, 0o755);
  }
  return folder;
}

async function copy(text: string, environment: Readonly<Record<string, string>>) {
  let written = '';
  const place = await copyToClipboard(text, {
    environment,
    writeOut: (part) => (written += part),
    platform: 'linux',
  });
  return { place, written };
}

it('gives the text to the program of the clipboard, and says so', async () => {
  const folder = await programs({ 'wl-copy': 'works' });
  expect(await copy('two\nlines', { PATH: folder, WAYLAND_DISPLAY: 'wayland-0' })).toEqual({
    place: 'the clipboard',
    written: '',
  });
  expect(await readFile(join(folder, 'wl-copy.text'), 'utf8')).toBe('two\nlines');
});

it('asks the next one where a program fails or is not there, and tmux after them', async () => {
  const folder = await programs({ xclip: 'fails', tmux: 'works' });
  const { place, written } = await copy('a', {
    PATH: folder,
    DISPLAY: ':0',
    TMUX: '/tmp/tmux-0/default,1,0',
  });
  expect([place, written]).toEqual(['the buffer of tmux', '']);
  expect(await readFile(join(folder, 'tmux.words'), 'utf8')).toBe('load-buffer -w -\n');
});

it('leaves the clipboard of this machine alone over ssh', async () => {
  const folder = await programs({ xclip: 'works' });
  expect(
    await copy('a', { PATH: folder, DISPLAY: ':0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }),
  ).toEqual({
    place: undefined,
    written: '\u001B]52;c;YQ==\u0007',
  });
});

it('tells the terminal where nothing else is there, without escape sequences of the text', async () => {
  expect(await copy('\u001B[31mred', { PATH: await programs({}) })).toEqual({
    place: undefined,
    written: `\u001B]52;c;${Buffer.from('red').toString('base64')}\u0007`,
  });
});
