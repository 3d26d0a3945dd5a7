import { toJsonOutput } from '../cli/json-output.ts';
import type { Project } from '../manifest/project.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toGeneratedText } from './generated-text.ts';
import { writeChanges } from './plan/file-change.ts';
import type { Generated } from './plan/generated.ts';

export interface RunGenerateOptions {
  readonly project: Project;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly terminal: Terminal;
}

/** Writes what was worked out, unless it is a dry run, and says what that is. */
export async function runGenerate(generated: Generated, options: RunGenerateOptions): Promise<void> {
  const { project, dryRun, json, terminal } = options;
  if (!dryRun) await writeChanges(generated.changes, project);
  terminal.writeOut(json ? toJsonOutput(toData(generated, dryRun)) : toGeneratedText(generated, { dryRun }));
  if (!json) for (const note of toNotes(generated)) terminal.writeError(`note: ${note}\n`);
}

function toNotes({ route, missing }: Generated): readonly string[] {
  const notes: string[] = [];
  if (route?.lacksId) {
    notes.push(`the path has an id that the input lacks; \`capix generate\` adds it with --input --force.`);
  }
  if (missing !== undefined) {
    const parts = [missing, ...(missing.otherwise === undefined ? [] : [missing.otherwise])];
    notes.push(
      parts.map(({ advice, lines }) => [`${advice}:`, ...lines.map((line) => `  ${line}`)].join('\n')).join('\n'),
    );
  }
  return notes;
}

function toData(generated: Generated, dryRun: boolean): unknown {
  const { key, changes, route } = generated;
  const notes = toNotes(generated);
  return {
    key,
    method: route?.method,
    path: route?.path,
    dryRun,
    files: changes.map(({ kind, path, line }) => ({ kind, path, line })),
    ...(notes.length === 0 ? {} : { notes }),
  };
}
