import { type Finding, toAnnotations } from '../cli/annotations.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import { toJsonOutput } from '../cli/json-output.ts';
import type { CheckValues } from '../flags/check-flags.ts';
import { loadRegistry } from '../load/load-registry.ts';
import { readSettings } from '../load/settings/read-settings.ts';
import { type Problem, toProjectProblem } from '../manifest/check-rules.ts';
import { rememberManifest } from '../manifest/known-manifest.ts';
import type { LoadedRegistry } from '../manifest/loaded-registry.ts';
import { type Listed, toCapabilities } from '../manifest/manifest.ts';
import { findShorterRoute } from '../manifest/shorter-route.ts';
import { findStaleFiles } from '../written/stale-files.ts';
import { checkProject, failsCheck } from './check-project.ts';
import { type CheckedProject, toCheckText } from './check-text.ts';
import { loadCheckedManifest } from './rules/load-checked-manifest.ts';

/** `capix check`: the findings are data and go to stdout, also where they make it fail. */
export default async function checkCommand({
  options,
  terminal,
}: PlainProps<CheckValues>): Promise<number> {
  const loaded = await loadRegistry({ ...options, withFaults: true }, terminal);
  const manifest = await loadCheckedManifest(loaded);
  await rememberManifest(manifest);
  const problems = [...manifest.problems, ...(await findStaleProblems(loaded))];
  const settings = readSettings(loaded.project.root).check;
  const checked = checkProject({ ...manifest, problems }, { settings, agents: options.agents });
  const hints = toCapabilities(manifest).flatMap(findHints);
  const notes = [...findNotes(loaded), ...hints.map(({ message, write }) => `${message} ${write}`)];
  terminal.writeOut(toOutput({ ...checked, hints }, options, loaded.project.root));
  if (!options.json) terminal.writeError(notes.map((note) => `note: ${note}\n`).join(''));
  return failsCheck(checked, options) ? exitCodes.failed : exitCodes.done;
}

/** The files that commands have written from the capabilities, and would write otherwise now. */
async function findStaleProblems(loaded: LoadedRegistry): Promise<readonly Problem[]> {
  return (await findStaleFiles(loaded)).map(({ path: file, command }) => {
    const message = `${file} is not what \`capix ${command}\` would write for the capabilities now.`;
    const hint = 'Run `capix sync`, which writes such files again.';
    return toProjectProblem('stale-file', { message, hint, file });
  });
}

interface Hint {
  readonly key: string;
  readonly message: string;
  readonly write: string;
}

type CheckedWithHints = CheckedProject & { readonly hints: readonly Hint[] };

function toOutput(checked: CheckedWithHints, { json, format }: CheckValues, root: string): string {
  if (format === 'github') return toAnnotations(checked.problems.map(toFinding), root);
  return json ? toJsonOutput(checked) : toCheckText(checked);
}

/** Facts that are not mistakes but should be known. Options that only the server has are unknown here. */
function findNotes({ restOptions, webSockets = [] }: LoadedRegistry): readonly string[] {
  const isExported = restOptions.prefix !== undefined;
  const isOpen = isExported && restOptions.cors === undefined;
  const areOpen = webSockets.length > 0 && restOptions.cors === undefined;
  return [...(isOpen ? [OPEN_TO_PAGES] : []), ...(areOpen ? [SOCKETS_OPEN_TO_PAGES] : [])];
}

/** A route that says its group twice works, so that this fails no check, `--strict` included. */
function findHints(capability: Listed): readonly Hint[] {
  const { key, method, path } = capability;
  const write = findShorterRoute(capability);
  if (write === undefined) return [];
  const message = `\`${key}\` is ${method} ${path}, which says the group twice. Shorter:`;
  return [{ key, message, write }];
}

const OPEN_TO_PAGES =
  'the pages of every site may read this API, without cookies, unless the server itself sets cors. The option cors ' +
  "of restOptions says which ones may; cors: { origin: '*' } says that it is meant.";

const SOCKETS_OPEN_TO_PAGES =
  'the pages of every site may open WebSockets without cookies, and those of no other site with them, unless the ' +
  'option cors of the transport that listens names origins. Export it in restOptions, so that the tool knows.';

function toFinding({ code, severity, message, hint, keys, file, line }: Problem): Finding {
  const text = [message, hint].filter((part) => part !== undefined).join('\n');
  return { rule: code, level: severity, name: keys[0] ?? 'project', message: text, file, line };
}
