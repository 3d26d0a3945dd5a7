import { readFile } from 'node:fs/promises';
import { toJsonOutput } from '../cli/json-output.ts';
import type { Project } from '../project/find-project.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeChanges } from './file-change.ts';
import type { Generated } from './generate-capability.ts';
import { toGeneratedText } from './generate-text.ts';

export interface RunGenerateOptions {
  readonly project: Project;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly terminal: Terminal;
}

/** Writes what was worked out, unless it is a dry run, and says what that is. */
export async function runGenerate(generated: Generated, options: RunGenerateOptions): Promise<void> {
  const { project, dryRun, json, terminal } = options;
  if (!dryRun) await writeChanges(generated.changes);
  terminal.writeOut(json ? toJsonOutput(toData(generated, dryRun)) : toGeneratedText(generated, { dryRun }));
  if (!json && !(await readsCapabilitiesFolder(project))) {
    const line = "export * as capabilities from './capabilities/index.js';";
    terminal.writeError(`note: the capabilities file does not read its folder; add this line to it:\n  ${line}\n`);
  }
}

function toData({ key, changes }: Generated, dryRun: boolean): unknown {
  return { key, dryRun, files: changes.map(({ kind, path, line }) => ({ kind, path, line })) };
}

async function readsCapabilitiesFolder({ configFile }: Project): Promise<boolean> {
  return /['"]\.\/capabilities(\/[^'"]*)?['"]/.test(await readFile(configFile, 'utf8'));
}
