import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { writeFileWhole } from '../files/write-file.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { toAiContextText } from './ai-context.ts';

export interface SyncAiContextCommandOptions {
  readonly config?: string | undefined;
  readonly json: boolean;
}

const FILE = '.capix-context.json';

/** `capix sync-ai-context`: brings the context document in the project's root up to date. Writes nothing where it is. */
export default async function syncAiContext({
  options,
  terminal,
}: PlainProps<SyncAiContextCommandOptions>): Promise<void> {
  const loaded = await loadRegistry({ config: options.config, workingDirectory: terminal.workingDirectory() });
  const path = join(loaded.project.root, FILE);
  const text = await toAiContextText(loaded);
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before !== text) await writeFileWhole(path, text);
  const result = before === undefined ? 'created' : before === text ? 'unchanged' : 'updated';
  terminal.writeOut(options.json ? toJsonOutput({ file: FILE, result }) : `${FILE} ${result}\n`);
}
