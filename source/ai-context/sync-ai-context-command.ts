import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { expectInside } from '../files/expect-inside.ts';
import { toWriteError, writeFileWhole } from '../files/write-files.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { loadAiContextText } from './load-ai-context-text.ts';

const FILE = '.capix-context.json';

/** `capix sync-ai-context`: brings the context document in the project's root up to date. */
export default async function syncAiContextCommand({
  options,
  terminal,
}: PlainProps<CommonValues>): Promise<void> {
  const loaded = await loadRegistry({ ...options, workingDirectory: terminal.workingDirectory() });
  const path = join(loaded.project.root, FILE);
  const text = await loadAiContextText(loaded);
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before !== text) {
    expectInside([path], { folder: loaded.project.root, called: 'the project' });
    await writeFileWhole(path, text).catch((error: unknown) => {
      throw toWriteError(error, { from: loaded.project.root });
    });
  }
  const known = before === text ? 'unchanged' : 'updated';
  const result = before === undefined ? 'created' : known;
  terminal.writeOut(options.json ? toJsonOutput({ file: FILE, result }) : `${FILE} ${result}\n`);
}
