import { findInGroups } from '../../server-runtime/registry/group.ts';
import { usageError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import type { CapabilityValues, GroupValues } from '../flags/generate-flags.ts';
import { expectProject } from '../load/expect-project.ts';
import { loadRegistry } from '../load/load-registry.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toCapabilityName, toGroupName } from './capability-name.ts';
import { generate, type RouteStyle, toNotes, type Wish, writeChanges } from './generate.ts';

/** The words for a file, after it is written and in a dry run. */
const changeVerbs = {
  created: { done: 'Created', planned: 'Would create' },
  changed: { done: 'Changed', planned: 'Would change' },
} as const;

type Names = readonly [first?: string | undefined, second?: string | undefined];

export async function capabilityCommand(props: PlainProps<CapabilityValues, Names>): Promise<void> {
  const { options, args, terminal } = props;
  const [first, second] = args;
  if (first === undefined)
    throw usageError(
      'The name of the capability is missing.',
      'For example `capix generate capability users getUser`.',
    );
  const name =
    second === undefined ? toCapabilityName(undefined, first) : toCapabilityName(first, second);
  await runGenerate({ ...name, withInput: options.input, force: options.force }, options, terminal);
}

export async function groupCommand(props: PlainProps<GroupValues, Names>): Promise<void> {
  const { options, args, terminal } = props;
  const [name] = args;
  if (name === undefined)
    throw usageError(
      'The name of the group is missing.',
      'For example `capix generate group users`.',
    );
  await runGenerate({ groups: toGroupName(name) }, options, terminal);
}

/** `capix generate` alone, without a terminal: nobody is there to answer a question. */
export function choiceCommand({
  options,
  terminal,
  help,
}: PlainProps<{ readonly json: boolean }>): number {
  if (options.json)
    throw usageError(
      'Say what to generate: a capability or a group.',
      'Run `capix generate capability [group] <name>` or `capix generate group <name>`.',
    );
  terminal.writeError(help.text);
  return exitCodes.usage;
}

/** Writes what is wished for, unless it is a dry run, and says what that is. */
async function runGenerate(wish: Wish, options: GroupValues, terminal: Terminal): Promise<void> {
  const { dryRun, config, json } = options;
  const project = expectProject({ config, workingDirectory: terminal.workingDirectory() });
  const generated = await generate(
    project,
    wish,
    wish.name === undefined ? {} : await loadRouteStyle(config, terminal),
  );
  const { key, changes, route } = generated;
  if (!dryRun) await writeChanges(changes, project);
  const notes = toNotes(generated);
  if (json) {
    const { method, path } = route ?? {};
    const files = changes.map(({ kind, path: file, line }) => ({ kind, path: file, line }));
    return terminal.writeOut(
      toJsonOutput({ key, method, path, dryRun, files, ...(notes.length > 0 && { notes }) }),
    );
  }
  const lines = changes.map(({ kind, path, line }) => {
    const { done, planned } = changeVerbs[kind];
    const verb = dryRun ? planned : done;
    return `${verb} ${path}${kind === 'changed' && line !== undefined ? `: + ${line}` : ''}`;
  });
  terminal.writeOut(
    `${[...lines, '', route ? `${key}  ${route.method} ${route.path}` : key].join('\n')}\n`,
  );
  terminal.writeError(notes.map((note) => `note: ${note}\n`).join(''));
}

/** As the project declares it; what cannot be loaded may be what the user is about to mend. */
async function loadRouteStyle(config: string | undefined, terminal: Terminal): Promise<RouteStyle> {
  const loaded = await loadRegistry({ config, withFaults: true }, terminal).catch(() => undefined);
  if (loaded === undefined) return {};
  const { urlCase, prefix } = loaded.restOptions;
  return { urlCase, prefix, groupPaths: findInGroups('path', loaded.registry.operations) };
}
