import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LoadedCode } from '../../source/load/loaded-code.ts';
import { type LoadResult, startProjectLoader } from '../../source/load/start-project-loader.ts';
import type { Project } from '../../source/manifest/project.ts';
import { openProject } from '../helpers/fixture-project.ts';

const name = fc.constantFrom('getItem', 'listItems', 'createItem', 'authGetSecret');
const capability = fc.record({
  name,
  text: fc.constantFrom('One', 'Two'),
  hasInput: fc.boolean(),
  isGuarded: fc.boolean(),
});
/** The text of one file: comments move what is below them. */
const file = fc.tuple(
  fc.nat({ max: 2 }),
  fc.uniqueArray(capability, { selector: (one) => one.name, maxLength: 4 }),
);
const save = fc.record({
  path: fc.constantFrom('items', 'carts'),
  file,
  isBroken: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
});

test('code that was loaded before a build that failed is told again when it is back', async () => {
  const whole = toText(0, [{ name: 'getItem', text: 'One', hasInput: false, isGuarded: false }]);
  const project = await openProject({
    'src/capabilities.ts': "export * as items from './items.js';\n",
    'src/items.ts': whole,
  });
  const entryFile = join(project.root, 'src/capabilities.ts');
  const found = { root: project.root, name: 'demo', entryFile };
  const code = new LoadedCode({ project: found, envFiles: [] });
  const loader = startProjectLoader(found, { code });
  try {
    const first = await loader.load();
    expect(code.findStale()).toEqual([]);
    await project.write('src/items.ts', `export const = 1;\n${whole}`);
    expect(code.findStale()).toEqual([join(project.root, 'src/items.ts')]);
    expect(await loader.load()).toMatchObject({ kind: 'failed' });
    await project.write('src/items.ts', whole);
    expect(code.findStale()).toEqual([join(project.root, 'src/items.ts')]);
    expect(await loader.load()).toEqual(first);
  } finally {
    loader.close();
  }
});

test('after any series of saves, what a screen has of the project is what a fresh load gives', async () => {
  const project = await openProject({
    'src/capabilities.ts':
      "export * as items from './items.js';\nexport * as carts from './carts.js';\n",
    'src/items.ts': '',
    'src/carts.ts': '',
  });
  const found = {
    root: project.root,
    name: 'demo',
    entryFile: join(project.root, 'src/capabilities.ts'),
  };
  const loader = startProjectLoader(found);
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(save, { minLength: 1, maxLength: 5 }), async (saves) => {
        let last: LoadResult | undefined;
        for (const {
          path,
          file: [comments, capabilities],
          isBroken,
        } of saves) {
          await project.write(
            `src/${path}.ts`,
            `${isBroken ? 'export const = 1;\n' : ''}${toText(comments, capabilities)}`,
          );
          last = await loader.load();
        }
        expect(last).toEqual(await loadFresh(found));
      }),
      { numRuns: 6 },
    );
  } finally {
    loader.close();
  }
});

async function loadFresh(project: Project): Promise<LoadResult> {
  const fresh = startProjectLoader(project);
  try {
    return await fresh.load();
  } finally {
    fresh.close();
  }
}

interface DeclaredCapability {
  readonly name: string;
  readonly text: string;
  readonly hasInput: boolean;
  readonly isGuarded: boolean;
}

function toText(comments: number, capabilities: readonly DeclaredCapability[]): string {
  return [
    "import { capability, defineGuard } from 'capix';",
    "import * as z from 'zod';",
    "const mustBeUser = defineGuard(() => {}, { name: 'mustBeUser' });",
    'const auth = capability;',
    ...Array.from({ length: comments }, () => '// Moved.'),
    ...capabilities.map(({ name, text, hasInput, isGuarded }) => {
      const input = hasInput ? 'z.object({ id: z.string(), at: z.date() }), ' : '';
      const guard = isGuarded ? '.guard(mustBeUser)' : '';
      return `export const ${name} = ${name.startsWith('auth') ? 'auth' : 'capability'}(${input}() => 1)${guard}.describe('${text}');`;
    }),
  ].join('\n');
}
