import { usageError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import { expectProject } from '../load/expect-project.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toCapabilityName, toGroupName } from './capability-name.ts';
import { type Generated, generate, type RouteStyle, type Wish, writeChanges } from './generate.ts';

export interface GenerateCommandOptions {
  readonly dryRun: boolean;
  readonly config?: string | undefined;
  readonly json: boolean;
}

export interface CapabilityOptions extends GenerateCommandOptions {
  readonly input: boolean;
  readonly force: boolean;
}

type Names = readonly [first?: string | undefined, second?: string | undefined];

/** `capix generate capability <name>`, or `<group> <name>`. */
export async function capabilityCommand(props: PlainProps<CapabilityOptions, Names>): Promise<void> {
  const { options, args, terminal } = props;
  const [first, second] = args;
  if (first === undefined)
    throw usageError(
      'The name of the capability is missing.',
      'For example `capix generate capability users getUser`.',
    );
  const name = second === undefined ? toCapabilityName(undefined, first) : toCapabilityName(first, second);
  await runGenerate({ ...name, withInput: options.input, force: options.force }, options, terminal);
}

/** `capix generate group <name>` */
export async function groupCommand(
  props: PlainProps<GenerateCommandOptions, readonly [name?: string | undefined]>,
): Promise<void> {
  const { options, args, terminal } = props;
  const [name] = args;
  if (name === undefined)
    throw usageError('The name of the group is missing.', 'For example `capix generate group users`.');
  const wish = { groups: toGroupName(name), name: undefined, withInput: false, force: false };
  await runGenerate(wish, options, terminal);
}

/** `capix generate` alone, without a terminal: nobody is there to be asked what. */
export function choiceCommand({ options, terminal, help }: PlainProps<{ readonly json: boolean }>): number {
  if (options.json)
    throw usageError(
      'Say what to generate: a capability or a group.',
      'Run `capix generate capability [group] <name>` or `capix generate group <name>`.',
    );
  terminal.writeError(help.text);
  return exitCodes.usage;
}

/** Writes what is wished for, unless it is a dry run, and says what that is. */
async function runGenerate(wish: Wish, options: GenerateCommandOptions, terminal: Terminal): Promise<void> {
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
  const lines = changes.map(({ kind, path, line }) => {
    const verb = dryRun
      ? `Would ${kind === 'created' ? 'create' : 'change'}`
      : kind === 'created'
        ? 'Created'
        : 'Changed';
    return `${verb} ${path}${kind === 'changed' && line !== undefined ? `: + ${line}` : ''}`;
  });
  return `${[...lines, '', route ? `${key}  ${route.method} ${route.path}` : key].join('\n')}\n`;
}

function toData({ key, changes, route }: Generated, dryRun: boolean, notes: readonly string[]): unknown {
  const files = changes.map(({ kind, path, line }) => ({ kind, path, line }));
  const { method, path } = route ?? {};
  return { key, method, path, dryRun, files, ...(notes.length === 0 ? {} : { notes }) };
}
