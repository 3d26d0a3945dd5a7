import type { PlainProps } from '../cli/command.ts';
import type { CommonValues } from '../cli/common-options.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { writeInProject } from '../files/write-files.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { stripControl } from '../terminal/strip-control.ts';
import { findStaleFiles } from './stale-files.ts';

/** `capix sync`: writes the stale files of the project again. Files without a mark of capix stay. */
export default async function syncCommand({
  options,
  terminal,
}: PlainProps<CommonValues>): Promise<void> {
  const loaded = await loadRegistry(options, terminal);
  const stale = await findStaleFiles(loaded);
  for (const { path, text } of stale) await writeInProject(loaded.project.root, path, text);
  const files = stale.map(({ path }) => path);
  const lines =
    files.length === 0
      ? ['Every written file is up to date']
      : files.map((file) => `${file} updated`);
  terminal.writeOut(options.json ? toJsonOutput({ files }) : stripControl(`${lines.join('\n')}\n`));
}
