// Boundary: a folder that nobody chose to run. Promise: Tab reads what is known and runs no code of the folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { openProject } from '../../helpers/fixture-project.ts';
import { cleanEnvironment, cliEntry } from '../../helpers/run-capix.ts';

const code = (mark: string) => `
import { writeFileSync } from 'node:fs';
import { capability } from 'capix';
writeFileSync('${mark}', '');
export const items = { listItems: capability(() => [], 'query') };
`;

test('completions run neither the capabilities nor the settings of a folder', async () => {
  const { root, ask, write } = await openProject({
    'src/capabilities.ts': code('ran'),
    'capix.config.mjs': `import { writeFileSync } from 'node:fs'; writeFileSync('ran', ''); export default {};`,
  });
  const complete = async () => (await ask(['completion', 'words'], { input: 'show\n\n' })).stdout;
  expect(await complete()).toBe('');
  expect(existsSync(join(root, 'ran'))).toBe(false);
  await ask(['list']);
  await write('src/capabilities.ts', code('again'));
  expect(await complete()).toBe('items.listItems\tGET /items\n');
  expect(existsSync(join(root, 'again'))).toBe(false);
});

test('completions know a project that was never loaded by its lock file', async () => {
  const { root, ask } = await openProject({ 'src/capabilities.ts': code('ran') });
  await ask(['lock']);
  const other = await openProject({ 'src/capabilities.ts': code('ran') });
  const { copyFile } = await import('node:fs/promises');
  await copyFile(join(root, 'capix.lock.json'), join(other.root, 'capix.lock.json'));
  const { stdout } = await other.ask(['completion', 'words'], { input: 'show\n\n' });
  expect(stdout).toContain('items.listItems\t');
  expect(existsSync(join(other.root, 'ran'))).toBe(false);
});

test('a saved call is one quoted word on the line of bash', async () => {
  const { root, capix } = await openProject({
    'src/capabilities.ts': code('ran'),
    'calls/a$(touch pwned).json': '{"call": "items.listItems"}',
    'calls/b\nc.json': '{"call": "items.listItems"}',
  });
  await capix(['list']);
  const script = `
    capix() { '${process.execPath}' '${cliEntry}' "$@"; }
    eval "$(capix completion bash)"
    COMP_LINE='capix call @'; COMP_POINT=\${#COMP_LINE}; COMP_WORDS=(capix call @); COMP_CWORD=2
    _capix capix @ call; printf '%s\\n' "\${COMPREPLY[@]}"
  `;
  const options = { cwd: root, env: cleanEnvironment(), extendEnv: false };
  const { stdout } = await execa('bash', ['--norc', '-c', script], options);
  expect(stdout).toBe(String.raw`@a\$\(touch\ pwned\)`);
});
