import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { writeInProject } from '../files/write-files.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { loadAiContextText } from './load-ai-context-text.ts';

const FILE = '.capix-context.json';

/** `capix sync-ai-context`: brings the context document in the project's root up to date. */
export default async function syncAiContextCommand({
  options,
  terminal,
}: PlainProps<CommonValues>): Promise<void> {
  const loaded = await loadRegistry(options, terminal);
  const { root } = loaded.project;
  const text = await loadAiContextText(loaded);
  const before = await readFile(join(root, FILE), 'utf8').catch(() => undefined);
  if (before !== text) await writeInProject(root, FILE, text);
  const known = before === text ? 'unchanged' : 'updated';
  const result = before === undefined ? 'created' : known;
  terminal.writeOut(options.json ? toJsonOutput({ file: FILE, result }) : `${FILE} ${result}\n`);
}
