import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { writeInProject } from '../../files/write-files.ts';
import {
  readTestHabits,
  toAnswerName,
  toTestName,
  toTestText,
} from '../../invoke/saved/kept-test.ts';
import {
  type FoundValue,
  findKeepProblem,
  listNeeds,
  type MadeCall,
  type PlannedCall,
  planCall,
  toFreeName,
  toMadeCall,
  toPlannedText,
} from '../../invoke/saved/plan-call.ts';
import {
  readSavedCalls,
  type SavedCall,
  toCallFile,
  toSafeName,
} from '../../invoke/saved/read-saved-calls.ts';
import type { KeyHandlers } from '../../kit/actions.ts';
import { expectProject } from '../../load/expect-project.ts';
import { findSource } from '../../manifest/manifest.ts';
import { type Services, useProject, useServices } from '../../screens/use-screen.ts';
import { askToWrite } from '../../screens/use-write-file.ts';
import { toCount } from '../../values/count.ts';
import type { RequestEntry } from './dev-store.ts';
import type { OpenDev } from './use-dev.ts';

/** The keys that keep a recorded request: as a saved call, and as a test. `root`: of the project, an absolute path. */
export function useKeep(
  { store: { requests }, root }: Pick<OpenDev, 'store' | 'root'>,
  request: RequestEntry | undefined,
): Pick<KeyHandlers, 'keep' | 'test'> {
  const services = useServices();
  const { manifest } = useProject().project;
  const off = request && findKeepProblem(request);
  const run = (write: (options: KeepOptions) => Promise<string | undefined>) => (): void => {
    if (request === undefined) return;
    const { notify } = services;
    const source = findSource(manifest, request.capability)?.file;
    void write({ services, root, requests, request, source }).then(
      (text) => text !== undefined && notify(text),
      (error: unknown) => notify(error instanceof Error ? error.message : String(error)),
    );
  };
  const isBroken = request !== undefined && request.status >= 500;
  return {
    keep: {
      help: 'Keep it as a saved call, with its answer as expectation',
      off,
      run: run(keepRequest),
    },
    test: {
      help: 'Write it as a test, as the project tests',
      off: off ?? (isBroken ? 'It failed: a test is of what it should answer' : undefined),
      run: run(writeTest),
    },
  };
}

interface KeepOptions extends Pick<OpenDev, 'root'> {
  readonly services: Pick<Services, 'terminal' | 'ask' | 'confirm'>;
  readonly requests: readonly RequestEntry[];
  readonly request: RequestEntry;
  /** The file of its capability, from the project; undefined until that is loaded. */
  readonly source: string | undefined;
}

/** Writes the saved call, and those that it needs. Gives the sentence about it; undefined where the user cancels. */
async function keepRequest(options: KeepOptions): Promise<string | undefined> {
  const { services, root } = options;
  const names = new SavedNames(await readSavedCalls(root));
  const planned = await planRequest(options, {
    toName: names.toName,
    toYes: (from) => {
      const known = names.findKnown(from);
      return known === undefined ? 'keep that call, too' : `use @${known}`;
    },
  });
  const toFile = (name: string): string =>
    relative(services.terminal.workingDirectory(), join(root, toCallFile(name)));
  const needed = listNeeds(planned).filter((one) => names.isNew(one));
  const typed = await askToWrite(services, {
    label: 'Keep as',
    toText: () => toPlannedText(planned),
    path: names.isNew(planned) ? planned.name : names.toFree(planned.name),
    toFile,
    replaces: false,
    reserved: needed.map((one) => toFile(one.name)),
    root,
    note: toVariablesNote(toPlannedText(planned)) ?? 'capix call @name makes it again',
  });
  if (typed === undefined) return undefined;
  for (const one of needed) await writeInProject(root, toCallFile(one.name), toPlannedText(one));
  const more = needed.length === 0 ? '' : ` and ${toCount(needed.length, 'call')} before it`;
  return `Wrote ${toCallFile(typed)}${more}: capix call @${toSafeName(typed)}`;
}

/** The names of saved calls: those that there are, and new ones. */
class SavedNames {
  readonly #calls: readonly SavedCall[];
  readonly #taken: Set<string>;
  readonly #made = new Map<MadeCall, string>();

  constructor({
    calls,
    names,
  }: Pick<Awaited<ReturnType<typeof readSavedCalls>>, 'calls' | 'names'>) {
    this.#calls = calls;
    this.#taken = new Set(names);
  }

  readonly toName = (call: MadeCall): string => {
    const known = this.#made.get(call) ?? this.findKnown(call);
    if (known !== undefined) return known;
    const name = this.toFree(toAnswerName(call.key));
    this.#taken.add(name);
    this.#made.set(call, name);
    return name;
  };

  toFree(name: string): string {
    return toFreeName(name, (each) => this.#taken.has(each));
  }

  isNew({ call }: PlannedCall): boolean {
    return this.#made.has(call);
  }

  /** The saved call that makes this one already. */
  findKnown(call: MadeCall): string | undefined {
    const toText = ({ input, headers }: Partial<SavedCall>): string =>
      JSON.stringify([call.key, input ?? {}, headers ?? {}]);
    const text = toText(JSON.parse(toPlannedText({ call, input: call.input, body: undefined })));
    return this.#calls.find((saved) => saved.call === call.key && toText(saved) === text)?.name;
  }
}

/** Writes the test. Gives the sentence about it; undefined where the user cancels. */
async function writeTest(options: KeepOptions): Promise<string | undefined> {
  const { services, root, source } = options;
  const project = expectProject({ workingDirectory: root });
  const habits = await readTestHabits(project, resolve(root, source ?? project.entryFile));
  const names = new Map<MadeCall, string>();
  const toName = (call: MadeCall): string => {
    const taken = [...names.values()];
    const name = toFreeName(toAnswerName(call.key), (each) => taken.includes(each), '');
    names.set(call, name);
    return name;
  };
  const planned = await planRequest(options, { toName, toYes: () => 'make it first' });
  const folder = services.terminal.workingDirectory();
  const note = toVariablesNote(toPlannedText(planned));
  const toFile = (name: string): string => join(habits.folder, name + habits.end);
  const name = toFreeName(toTestName(planned.call.key), (each) => existsSync(toFile(each)));
  const typed = await askToWrite(services, {
    label: 'Test in',
    toText: (output) => toTestText(planned, dirname(resolve(folder, output)), habits),
    path: relative(folder, toFile(name)),
    replaces: false,
    root,
    note: `for ${habits.runner}${note === undefined ? '' : `; ${note}`}`,
  });
  return typed && `Wrote ${typed}, for ${habits.runner}`;
}

interface PlanWords {
  readonly toName: (call: MadeCall) => string;
  /** What is done with a call whose answer is needed. */
  readonly toYes: (from: MadeCall) => string;
}

/** How a request is made again, after the calls that the user wants before it. */
function planRequest(
  { services, requests, request }: KeepOptions,
  { toName, toYes }: PlanWords,
): Promise<PlannedCall> {
  const recorded = requests.filter((each) => findKeepProblem(each) === undefined);
  const shown = recorded.find(({ key }) => key === request.key) ?? request;
  const calls = new Map([...recorded, shown].map((each) => [each, toMadeCall(each)]));
  return planCall(calls.get(shown) ?? toMadeCall(shown), {
    made: [...calls.values()],
    toName,
    isWanted: (values, from) =>
      services.confirm({
        text: `${toValuesText(values)} came from ${from.key}.`,
        yes: toYes(from),
        no: 'as it is',
      }),
  });
}

/** Which variables a saved call reads in place of secrets; undefined where it has none. */
function toVariablesNote(text: string): string | undefined {
  const names = [...text.matchAll(/\$\{(\w+)\}/g)].map((match) => match[1]);
  const [first] = names;
  return first && `in place of secrets it reads ${[...new Set(names)].join(', ')}`;
}

/** `` `id` and `line.of` `` */
function toValuesText(values: readonly FoundValue[]): string {
  return values.map(({ field }) => `\`${field.join('.') || 'the input'}\``).join(' and ');
}
