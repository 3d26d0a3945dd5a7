import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findWithPackages } from '../../system/paths.ts';
import { attempt } from '../../values/attempt.ts';

export interface Compiled {
  readonly format: 'module' | 'commonjs';
  readonly code: string;
}

/**
 * What `compile` gives for a file (absolute path). It runs where `inputs`, the text and all that decides how it is
 * compiled, differ from those of the last time: to load the compiler takes longer than to load a small project.
 * The project's `node_modules/.cache/capix/javascript/` has one entry for each file, which the next one replaces.
 * Without a `node_modules` that can be written each call compiles.
 */
export function compileOnce(file: string, inputs: string, compile: () => Compiled): Compiled {
  const folder = findCacheFolder(file);
  if (folder === undefined) return compile();
  const entry = join(folder, toHash(file));
  const key = toHash(`${stampOfTool()}\n${inputs}`);
  const known = attempt(() => readFileSync(entry, 'utf8'));
  for (const format of ['module', 'commonjs'] as const) {
    const head = `${key} ${format}\n`;
    if (known?.startsWith(head)) return { format, code: known.slice(head.length) };
  }
  const compiled = compile();
  attempt(() => writeEntry(entry, `${key} ${compiled.format}\n${compiled.code}`));
  return compiled;
}

/** A process that reads an entry meanwhile finds the old one whole, or the new one. */
function writeEntry(entry: string, text: string): void {
  mkdirSync(dirname(entry), { recursive: true, mode: 0o700 });
  const unfinished = `${entry}.${randomUUID()}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, entry);
}

const folders = new Map<string, string | undefined>();

/** Packages, and the copies of git refs, which lie among them for a minute, have no entries. */
function findCacheFolder(file: string): string | undefined {
  if (file.includes(`${sep}node_modules${sep}`)) return undefined;
  const folder = dirname(file);
  if (!folders.has(folder)) {
    const root = findWithPackages(folder);
    folders.set(folder, root && join(root, 'node_modules', '.cache', 'capix', 'javascript'));
  }
  return folders.get(folder);
}

let stamp: string | undefined;

/** Another build of capix may write other code. */
function stampOfTool(): string {
  stamp ??= `${statSync(fileURLToPath(import.meta.url)).mtimeMs}`;
  return stamp;
}

function toHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
