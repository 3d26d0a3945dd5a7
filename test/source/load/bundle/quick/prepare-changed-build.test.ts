import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { prepareChangedBuild } from '../../../../../source/load/bundle/quick/prepare-changed-build.ts';
import { userCodeBuildOptions } from '../../../../../source/load/bundle/user-code-build-options.ts';
import { noFacts } from '../../../../../source/load/bundle/user-code-plugin.ts';
import { createModuleCompiler } from '../../../../../source/load/modules/module-compiler.ts';
import { toModuleGraph } from '../../../../../source/load/modules/module-graph.ts';
import { writeTree } from '../../../../helpers/scaffold.ts';
import { temporaryFolder } from '../../../../helpers/temporary-folder.ts';

/** A later time than that of every file, milliseconds: the files were not saved while they were read. */
const LATER_MS = 60_000;

const text = `import { one } from './one.ts';
import type { Two } from './two.ts';
export const sum = (two: Two) => one + two;
`;

/** Whether a change of `src/text.ts` is known without another build of it, by options that esbuild refuses. */
async function isKnownAfter(change: string, before = text): Promise<boolean> {
  const root = await temporaryFolder();
  await writeTree(root, {
    'package.json': '{"type": "module"}',
    'src/main.ts': `import { sum } from './text.ts';\nexport default sum(2);\n`,
    'src/text.ts': before,
    'src/one.ts': 'export const one = 1;\n',
    'src/two.ts': 'export type Two = number;\nexport const two = 2;\n',
  });
  const options = userCodeBuildOptions({ entry: join(root, 'src/main.ts'), root, outFile: join(root, 'out.mjs') });
  const result = await build({ ...options, write: false });
  const compiler = createModuleCompiler({ root, keepsMapsInside: false });
  await compiler.compile(toModuleGraph(result.metafile, root));
  const refused = { ...options, target: 'none' };
  const whole = { root, options: refused, result, facts: noFacts, builtAt: Date.now() + LATER_MS };
  const quick = await prepareChangedBuild(whole, compiler.compileAgain);
  await writeTree(root, { 'src/text.ts': change });
  return (await quick.build()) !== undefined;
}

test.each<[change: string, code: string]>([
  ['another body', text.replace('one + two', 'two - one')],
  ['another type', text.replace('import type { Two }', 'import { type Two as Two }')],
  ['a comment', `// Not an import: './three.ts'.\n${text}`],
  ['a type that only types name', text.replace('import type', 'import')],
])('a file that imports what it did is known at once: %s', async (_, code) => {
  expect(await isKnownAfter(code)).toBe(true);
});

const more: readonly [change: string, code: string, before?: string][] = [
  ['one more import', `import './two.ts';\n${text}`],
  [
    'a value in place of a type',
    `${text.replace('import type { Two }', 'import { type Two, two }')}console.log(two);\n`,
  ],
  ['no import', 'export const sum = (two: number) => 1 + two;\n'],
  ['none before either', 'exports.sum = (two) => two;\n', 'export const sum = (two: number) => two;\n'],
  ['an attribute', text.replace("'./one.ts'", "'./one.ts' with { type: 'text' }")],
  ['an import that may never be made', `${text}if (sum(1) > 3) await import('./two.ts');\n`],
  [
    'one that may be made now',
    `${text}if (true) await import('./two.ts');\n`,
    `${text}if (false) await import('./two.ts');\n`,
  ],
  ['a file that is required', `${text}export const { two } = require('./two.ts');\n`],
  ['a fault', `${text}export const =\n`],
];

test.each(more)('a file whose imports may be others is built: %s', async (_, code, before) => {
  expect(await isKnownAfter(code, before)).toBe(false);
});
