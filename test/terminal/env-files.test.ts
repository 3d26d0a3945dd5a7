import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, it } from 'vitest';
import { openProject } from '../helpers/fixture-project.ts';
import { type OpenTerminal, openTerminal } from '../helpers/open-terminal.ts';

let terminal: OpenTerminal | undefined;
afterEach(() => terminal?.close());

const capabilities = `import { capability } from 'capix';
if (!process.env.NAME) throw new Error('NAME is missing');
export const capabilities = { texts: { [process.env.NAME]: capability(() => 'told ' + process.env.NAME) } };
`;

async function open(...args: readonly string[]) {
  const { root } = await openProject({
    '.env': 'NAME=getDot',
    'a.env': 'NAME=getNone\nOTHER=a',
    'b.env': 'NAME=getNamed',
    'src/capabilities.ts': capabilities,
    'old/capabilities.ts':
      "import { capability } from 'capix';\nexport const capabilities = { texts: { getOld: capability(() => 'old') } };",
  });
  terminal = openTerminal(args, { cwd: root });
  return { terminal, root };
}

it('screens load the project with .env, and anew when it changes', async () => {
  const { terminal, root } = await open('list');
  await terminal.waitFor('texts.getDot');
  await writeFile(join(root, '.env'), 'NAME=getChanged');
  await terminal.waitFor('texts.getChanged');
});

const named = ['--env-file', 'a.env', '--env-file', 'b.env'];

it.each([
  [['list', ...named], 'texts.getNamed'],
  [['show', 'texts.getNamed', ...named], '/texts/named'],
  [['openapi', ...named], '/texts/named'],
  [['diff', 'old/capabilities.ts', 'src/capabilities.ts', ...named], 'texts.getNamed'],
])('the screen of capix %j has the variables of the named files', async (words, shown) => {
  const { terminal } = await open(...words);
  await terminal.waitFor(shown);
});

it('a call of the screen has them too', async () => {
  const { terminal } = await open('call', 'texts.getNamed', ...named);
  await terminal.waitFor('in this process');
  terminal.type('\u0013');
  await terminal.waitFor('told getNamed');
});
