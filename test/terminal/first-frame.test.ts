import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { openTerminal } from '../helpers/open-terminal.ts';

/** Says in a file what the process makes that takes the engine long. */
const watch = `
const { appendFileSync } = require('node:fs');
const note = (what) => appendFileSync(process.env.MADE, what + '\\n');
if (require('node:path').basename(process.argv[1] ?? '') === 'cli.cjs') {
  Intl.Segmenter = new Proxy(Intl.Segmenter, { construct(target, args) { note('segmenter'); return new target(...args); } });
  globalThis.RegExp = new Proxy(RegExp, { construct(target, args) {
    if (String(args[0]).includes('\\\\p{')) note(String(args[0]));
    return new target(...args);
  } });
}
note('watched');
`;

test('the first frame of a screen makes no segmenter and no pattern of Unicode properties, and a wide text still has its width', async () => {
  const { root: folder } = await openProject({
    'watch.cjs': watch,
    'src/capabilities.ts': `import { capability } from 'capix';\nexport const capabilities = { users: { getUser: capability(() => ({})) } };\n`,
  });
  const made = join(folder, 'made.txt');
  const terminal = openTerminal(['list'], {
    cwd: folder,
    env: { NODE_OPTIONS: `--require=${join(folder, 'watch.cjs')}`, MADE: made },
  });
  await terminal.waitFor('users.getUser');
  const atFirst = await readFile(made, 'utf8');
  expect(new Set(atFirst.trim().split('\n'))).toEqual(new Set(['watched']));
  terminal.type('/e\u0301');
  await terminal.waitFor('e\u0301');
  expect(await readFile(made, 'utf8')).toContain('segmenter\n');
  await terminal.close();
});
