import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from './run-capix.ts';
import { writeTree } from './scaffold.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A server with one capability, `GET /texts`, whose answer is what `src/text.ts` exports. */
export const textServer = {
  'package.json': '{"name": "texts", "type": "module"}',
  'src/server.ts': `
    import { capability, createServer, restTransport } from 'capix';
    import { text } from './text.ts';
    const listTexts = capability(() => text());
    await createServer({ capabilities: { texts: { listTexts } }, transports: [restTransport()] }).start();
  `,
  'src/text.ts': `export const text = () => 'one';`,
} as const;

/** What the code of a project imports besides: clients of databases. */
const packages = ['@electric-sql', 'ioredis'];

/** Writes a project that finds this package as its `capix`. Gives its folder; `inside` names folders around it. */
export async function devProject(
  files: Readonly<Record<string, string>> = {},
  inside = '.',
): Promise<string> {
  const folder = join(await temporaryFolder(), inside);
  await writeTree(folder, { ...textServer, ...files });
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await symlink(packageRoot, join(folder, 'node_modules', 'capix'), 'junction');
  // A test may write a package of its own in the place of one.
  const own = Object.keys(files).join('\n');
  for (const name of ['zod', ...packages].filter((each) => !own.includes(`node_modules/${each}/`)))
    await symlink(
      join(packageRoot, 'node_modules', name),
      join(folder, 'node_modules', name),
      'junction',
    );
  return folder;
}

/** The source of `src/text.ts` that answers with `text`. */
export function textFile(text: string): string {
  return `export const text = () => ${JSON.stringify(text)};`;
}
