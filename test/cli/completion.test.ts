import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { beforeAll, describe, expect, it } from 'vitest';
import { askCapix } from '../helpers/ask-capix.ts';
import { cleanEnvironment, cliEntry } from '../helpers/run-capix.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await scaffold();
  await writeTree(folder, {
    'calls/first.json': '{"call": "items.listItems"}',
    'src/capabilities/items/set-state.ts': `
      import { z } from 'zod';
      import { capability } from 'capix';
      export const setState = capability(z.object({ state: z.enum(['done', 'in progress', '**']) }), () => null);
    `,
    'src/capabilities/items/index.ts': [
      `export { getItem } from './get.ts';`,
      `export { listItems } from './list.ts';`,
      `export { createItem } from './create.ts';`,
      `export { setState } from './set-state.ts';\n`,
    ].join('\n'),
  });
  await askCapix(['check'], { cwd: folder });
});

describe('capix completion', () => {
  it('completes in bash what is typed, as one word and so that it runs', async () => {
    const bin = await temporaryFolder();
    await writeTree(bin, { capix: `#!/bin/sh\nexec '${process.execPath}' '${cliEntry}' "$@"\n` });
    await chmod(join(bin, 'capix'), 0o755);
    const env = { ...cleanEnvironment(), PATH: `${bin}:${process.env['PATH']}`, PS1: '$ ' };
    const shell = spawn('bash', ['--norc', '-i'], { cwd: folder, env, cols: 200 });
    let output = '';
    shell.onData((text) => (output += text));
    const press = async (keys: string, expected: string): Promise<void> => {
      output = '';
      shell.write(keys);
      await expect.poll(() => output).toContain(expected);
      shell.write('\u0015');
    };
    await press('eval "$(capix completion bash)"; echo rea""dy\r', 'ready');
    await press('capix comp\t', 'capix completion ');
    await press('capix call items.c\t', 'capix call items.createItem ');
    await press('capix call items.createItem --na\t', '--name ');
    await press('capix call items.setState --state in\t', '--state in\\ progress ');
    await press('capix call items.setState --state in\\ p\t', '--state in\\ progress ');
    await press('capix call items.setState --state=d\t', '--state=done ');
    await press('capix call items.setState --state=\t\t', 'in\\ progress');
    await press('capix call items.setState --state \\*\t', '--state \\*\\* ');
    await press("capix call items.setState --state 'in p\t", "--state 'in progress'");
    await press('capix call @f\t', 'capix call @first ');
    await press('capix call --config=src/capab\t', 'ilities');
    await press('capix call --config=src/capabilities.ts items.l\t', ' items.listItems ');
    await press('capix call --config src/capabilities.t\t', '--config src/capabilities.ts ');
    shell.kill();
  });

  it('knows the values of what is assigned, and nothing behind an unknown option', async () => {
    const complete = async (...words: string[]) => {
      const input = `${words.join('\n')}\n`;
      const { stdout } = await askCapix(['completion', 'words'], { cwd: folder, input });
      return stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
    };
    expect(await complete('call', 'items.setState', '--state=d')).toEqual(['--state=done']);
    expect(await complete('call', '--format=j')).toEqual(['--format=junit']);
    expect(await complete('call', '--none=')).toEqual([]);
  });

  it.each(['--config\n', '--config='])('knows the project that %j names', async (option) => {
    const input = `call\n${option}${join(folder, 'src', 'capabilities.ts')}\nitems.l\n`;
    const { stdout } = await askCapix(['completion', 'words'], { cwd: dirname(folder), input });
    expect(stdout).toMatch(/^items\.listItems\t/);
  });

  it.each(['zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { stdout, exitCode } = await askCapix(['completion', shell], { cwd: folder });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/printf '%s\\n' .* \| capix completion words 2>\/dev\/null/);
    // Without what a framework of zsh has set up, and files where there is nothing else to offer.
    expect(stdout).toMatch(
      shell === 'zsh' ? /functions\[compdef\].*compinit -i/ : /__fish_complete_path/,
    );
    expect((await askCapix(['completion', 'csh'], { cwd: folder })).exitCode).toBe(2);
  });
});
