import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readOperations } from '../document/operations/read-operations.ts';
import { isSchemaObject } from '../document/schema-json.ts';
import { readJsonCache, writeCache } from '../files/project-cache.ts';
import { findUpwards } from '../system/paths.ts';
import type { Manifest } from './manifest.ts';

const FILE = 'manifest.json';

/** The capabilities of a project as the tool saw them last. */
interface KnownManifest extends Pick<Manifest, 'document' | 'keys'> {
  readonly root: string;
}

/**
 * Remembers the capabilities of a project that was loaded, for whom must not load it. An outline, which has no schemas,
 * is better than nothing and replaces nothing. It is a help: nothing depends on whether it can be written.
 */
export async function rememberManifest(
  { project, document, keys }: Manifest,
  isOutline = false,
): Promise<void> {
  try {
    const { root, config } = project;
    if (isOutline && (await readJsonCache(root, FILE)) !== undefined) return;
    await writeCache(root, FILE, JSON.stringify({ config, document, keys }));
  } catch {
    // Such as a folder that is read-only.
  }
}

/**
 * Reads what is known of the project around a folder, or of the one with the capabilities file `config`, and runs none
 * of its code: what was loaded last, else its lock file.
 */
export async function readKnownManifest(
  folder: string,
  config?: string,
): Promise<KnownManifest | undefined> {
  const file = config === undefined ? undefined : resolve(folder, config);
  const root = findUpwards(file === undefined ? folder : dirname(file), (each) =>
    existsSync(join(each, 'package.json')),
  );
  if (root === undefined) return undefined;
  const known = Object(await readJsonCache(root, FILE)) as Partial<Manifest['project'] & Manifest>;
  const { config: loaded, document, keys } = known;
  const isSame = file === undefined || (loaded !== undefined && resolve(root, loaded) === file);
  if (isSame && isSchemaObject(document) && Array.isArray(keys)) return { root, document, keys };
  return file === undefined ? readLock(root) : undefined;
}

async function readLock(root: string): Promise<KnownManifest | undefined> {
  try {
    const text = await readFile(join(root, 'capix.lock.json'), 'utf8');
    const document = JSON.parse(text) as Manifest['document'];
    return { root, document, keys: readOperations(document).map(({ key }) => key) };
  } catch {
    return undefined;
  }
}
