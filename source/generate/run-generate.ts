import { toJsonOutput } from '../cli/json-output.ts';
import { expectProject } from '../load/expect-project.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type FileChange, type Generated, generate, type RouteStyle, type Wish, writeChanges } from './generate.ts';

export interface RunGenerateOptions {
  readonly dryRun: boolean;
  readonly config?: string | undefined;
  readonly json: boolean;
}

/** Writes what is wished for, unless it is a dry run, and says what that is. */
export async function runGenerate(wish: Wish, options: RunGenerateOptions, terminal: Terminal): Promise<void> {
  const { dryRun, config, json } = options;
  const place = { config, workingDirectory: terminal.workingDirectory() };
  const project = expectProject(place);
  const generated = await generate(project, wish, wish.name === undefined ? {} : await loadRouteStyle(place));
  if (!dryRun) await writeChanges(generated.changes, project);
  const notes = toNotes(generated);
  if (json) return terminal.writeOut(toJsonOutput(toData(generated, dryRun, notes)));
  terminal.writeOut(toText(generated, dryRun));
  for (const note of notes) terminal.writeError(`note: ${note}\n`);
}

/** As the project declares it; what cannot be loaded may be what the user is about to mend. */
async function loadRouteStyle(place: {
  readonly config: string | undefined;
  readonly workingDirectory: string;
}): Promise<RouteStyle> {
  const { loadRegistry } = await import('../load/load-registry.ts');
  const loaded = await loadRegistry({ ...place, withFaults: true }).catch(() => undefined);
  if (loaded === undefined) return {};
  const { urlCase, prefix } = loaded.restOptions;
  const { findInGroups } = await import('../../server-runtime/registry/group.ts');
  return { urlCase, prefix, groupPaths: findInGroups('path', loaded.registry.operations) };
}

/** The steps that are left to the user. */
export function toNotes({ route, unwritten }: Pick<Generated, 'route' | 'unwritten'>): readonly string[] {
  const advice = 'the path has an id that the input lacks; `capix generate` adds it with --input --force.';
  const lines = unwritten.map(({ path, line }) => `${path} is left as it is; add this line to it:\n  ${line}`);
  return [...(route?.lacksId === true ? [advice] : []), ...lines];
}

function toText({ key, changes, route }: Generated, dryRun: boolean): string {
  const lines = changes.map((change) => `${toVerb(change, dryRun)} ${change.path}${toAddition(change)}`);
  return `${[...lines, '', route ? `${key}  ${route.method} ${route.path}` : key].join('\n')}\n`;
}

function toVerb({ kind }: FileChange, dryRun: boolean): string {
  if (dryRun) return kind === 'created' ? 'Would create' : 'Would change';
  return kind === 'created' ? 'Created' : 'Changed';
}

function toAddition({ kind, line }: FileChange): string {
  return kind === 'changed' && line !== undefined ? `: + ${line}` : '';
}

function toData({ key, changes, route }: Generated, dryRun: boolean, notes: readonly string[]): unknown {
  const files = changes.map(({ kind, path, line }) => ({ kind, path, line }));
  return {
    key,
    method: route?.method,
    path: route?.path,
    dryRun,
    files,
    ...(notes.length === 0 ? {} : { notes }),
  };
}
