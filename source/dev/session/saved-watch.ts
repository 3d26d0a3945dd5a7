import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CALLS_FOLDER, readSavedNames, SAVED_CALLER } from '../../files/read-saved-names.ts';
import type { SavedAnswer, SavedProtocol, SavedQuestion } from '../../invoke/saved/run-on-save.ts';
import { expectProject } from '../../load/expect-project.ts';
import type { Project } from '../../manifest/project.ts';
import { compiledFile } from '../../package-root.ts';
import type { RoutedRequest } from '../../record/replace-url-secrets.ts';
import { type ChildChannel, startChild } from '../../system/child-channel.ts';
import { type Environment, readVariables } from '../../system/read-variables.ts';
import { attempt } from '../../values/attempt.ts';
import { toCount } from '../../values/count.ts';
import type { DevEvent, SavedFailure } from './dev-event.ts';
import type { DevOptions } from './dev-options.ts';

type Options = Pick<DevOptions, 'project' | 'envFiles' | 'environment' | 'inspectPort' | 'report'>;

/** Beyond the time that the calls have: a project may take long to load, milliseconds. */
const RUN_MS = 60_000;
const ALL_MS = 600_000;

const systemTools = {
  readSavedNames: async (root: string): Promise<readonly string[]> =>
    existsSync(join(root, CALLS_FOLDER)) ? readSavedNames(root) : [],
  startRun: (project: Project, env: Environment) =>
    startChild<SavedProtocol>(compiledFile('invoke/saved/saved-child.js'), {
      output: 'ignore',
      cwd: project.root,
      env,
      arguments: [JSON.stringify(project)],
    }).channel,
};

/** Makes saved calls on the server after its start and each save. Tells of those that passed before and fail now. */
export class SavedWatch {
  readonly #options: Options;
  readonly #tools: typeof systemTools;
  readonly #passed = new Set<string>();
  readonly #failing = new Map<string, SavedFailure>();
  #running: Pick<ChildChannel<SavedProtocol>, 'ask' | 'kill'> | undefined;
  #url: string | undefined;
  /** Whether the calls that the last save reached were made, so that only the next one counts. */
  #isUpToDate = false;

  constructor(options: Options, tools = systemTools) {
    this.#options = options;
    this.#tools = tools;
  }

  /** Takes an event of the server. A newer start gives the calls of the last one up. */
  take(event: DevEvent): void {
    if (event.kind === 'starting') this.stop();
    if (event.kind === 'failed') this.#isUpToDate = false;
    if (event.kind !== 'ready' || event.isLate === true) return;
    this.#url = event.urls[0]?.replace(/\/+$/, '');
    // A call that reached a breakpoint would stand there, and one more after each save.
    if (this.#options.inspectPort !== undefined) return;
    const { cause } = event;
    const { root } = this.#options.project;
    const files =
      cause.kind === 'change' && this.#isUpToDate
        ? cause.files.map((file) => resolve(root, file))
        : undefined;
    this.#isUpToDate = false;
    void this.#run({ files, isAll: false }, RUN_MS).catch(() => {});
  }

  /** Makes all saved calls but those of an environment. Gives a sentence. Rejects where the code does not load. */
  async runAll(): Promise<string> {
    const answers = await this.#run({ isAll: true }, ALL_MS);
    const passed = answers.filter(({ problems }) => problems.length === 0);
    if (answers.length === 0) return 'The project has no saved calls';
    return `${passed.length} of ${toCount(answers.length, 'saved call')} as expected`;
  }

  stop(): void {
    this.#running?.kill();
    this.#running = undefined;
  }

  async #run(
    wanted: Pick<SavedQuestion, 'files' | 'isAll'>,
    limitMs: number,
  ): Promise<readonly SavedAnswer[]> {
    const { project: server, envFiles, environment } = this.#options;
    const url = this.#url;
    const savedAt = new Date().toISOString();
    const names = await this.#tools.readSavedNames(server.root);
    // A call that is no longer saved does not fail.
    for (const name of this.#failing.keys()) if (!names.includes(name)) this.#failing.delete(name);
    const project = names.length === 0 ? undefined : findCapabilities(server.root);
    if (url === undefined || project === undefined) return [];
    this.stop();
    const variables = { ...readVariables(envFiles, environment), ...environment };
    const running = this.#tools.startRun(project, variables);
    this.#running = running;
    const { entryFile } = server;
    const question = { ...wanted, url, failing: [...this.#failing.keys()], entryFile };
    const answers = await running.ask('run', question, { limitMs }).finally(() => running.kill());
    // Another run may have begun meanwhile.
    if (this.#running !== running) return answers;
    this.#running = undefined;
    this.#isUpToDate ||= !wanted.isAll;
    const changed = answers.flatMap(
      (answer) => this.#takeAnswer(answer, savedAt, wanted.isAll) ?? [],
    );
    const passed = answers.filter(({ problems }) => problems.length === 0).length;
    const { report } = this.#options;
    const failing = [...this.#failing.values()];
    report({ kind: 'notice', notice: { code: 'SavedCalls', passed, failing, changed } });
    return answers;
  }

  /** Gives what has become of the call, where that is another thing than the last time. */
  #takeAnswer(
    { name, call, isMade, problems }: SavedAnswer,
    savedAt: string,
    isByHand: boolean,
  ): SavedFailure | undefined {
    const before = this.#failing.get(name);
    if (problems.length === 0) {
      this.#passed.add(name);
      this.#failing.delete(name);
      return before && { ...before, problems };
    }
    // A call that nobody answers, or that lacks a variable, has not got another answer.
    if (!isByHand && (!isMade || (before === undefined && !this.#passed.has(name))))
      return undefined;
    const failure = { name, call, problems, savedAt: before?.savedAt ?? savedAt };
    this.#failing.set(name, failure);
    return `${before?.problems}` === `${problems}` ? undefined : failure;
  }
}

/** An event without the requests of saved calls, which no client has sent. */
export function withoutSavedCalls(event: DevEvent): DevEvent {
  if (event.kind !== 'requests') return event;
  const isSaved = ({ details }: RoutedRequest): boolean =>
    details?.headers.some((header) => header[1] === SAVED_CALLER) ?? false;
  return { ...event, requests: event.requests.filter((request) => !isSaved(request)) };
}

function findCapabilities(root: string): Project | undefined {
  return attempt(() => expectProject({ workingDirectory: root }));
}
