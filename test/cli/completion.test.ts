import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, cliEntry, runCapix } from '../helpers/run-capix.ts';
import { scaffold, writeTree } from '../helpers/scaffold.ts';

let folder: string;
beforeAll(async () => {
  folder = await scaffold();
  await writeTree(folder, { 'calls/first.json': '{"call": "items.listItems"}' });
  await runCapix(['check'], { cwd: folder });
});

describe('capix completion', () => {
  it('completes in bash what the project has', async () => {
    const script = `
      capix() { '${process.execPath}' '${cliEntry}' "$@"; }
      eval "$(capix completion bash)"
      complete_line() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _capix; printf '%s ' "\${COMPREPLY[@]}"; echo; }
      complete_line capix call ''
      complete_line capix call items.createItem --n
      complete_line capix call --he
      complete_line capix comp
      complete_line capix call --config=src/none.ts items
      complete_line capix call --config = src/capabilities.ts items.l
    `;
    const { stdout } = await execa('bash', ['--norc', '-c', script], {
      cwd: folder,
      env: cleanEnvironment(),
      extendEnv: false,
    });
    expect(stdout.split('\n').map((line) => line.trim())).toEqual([
      'items.getItem items.listItems items.createItem @first',
      '--name',
      '--header',
      'completion',
      '',
      'items.listItems',
    ]);
  });

  it.each(['--config\n', '--config='])('knows the project that %j names', async (option) => {
    const input = `call\n${option}${join(folder, 'src', 'capabilities.ts')}\nitems.l\n`;
    const { stdout } = await runCapix(['completion', 'words'], { cwd: dirname(folder), input });
    expect(stdout).toMatch(/^items\.listItems\t/);
  });

  it.each(['zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { stdout, exitCode } = await runCapix(['completion', shell], { cwd: folder });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/printf '%s\\n' .* \| capix completion words 2>\/dev\/null/);
    expect((await runCapix(['completion', 'csh'], { cwd: folder })).exitCode).toBe(2);
  });
});
