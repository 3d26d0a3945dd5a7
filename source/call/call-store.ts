import type { Environment } from '../cli/caller-values.ts';
import { toOperationSecrets } from '../document/operations/secret-check.ts';
import { keepCall, type PastCall, readCallHistory } from '../files/past-call.ts';
import { toRowProblems } from '../form/form-rows.ts';
import {
  addStep,
  type FormHistory,
  type FormState,
  redoChange,
  undoChange,
} from '../form/form-state.ts';
import { toCallInput } from '../invoke/call-input.ts';
import { type CallSession, createCallSession } from '../invoke/call-session.ts';
import { type CallTarget, expandHeaders, type KnownServers } from '../invoke/call-target.ts';
import { toNoAnswerText } from '../invoke/no-answer.ts';
import {
  type CallQuestion,
  type CallRequest,
  type CallResult,
  performCall,
  type RequestHeaders,
} from '../invoke/perform-call.ts';
import {
  type CallField,
  headersPath,
  toCallField,
  toCallForm,
  toRequestHeaders,
} from '../invoke/request-headers.ts';
import { createSavedRun, type FilledCall } from '../invoke/saved/create-saved-run.ts';
import { readSavedCalls, type SavedCall } from '../invoke/saved/read-saved-calls.ts';
import { toEnvFiles } from '../load/env-files.ts';
import { expectCapability } from '../manifest/expect-capability.ts';
import { type Listed, type Manifest, toCapabilities } from '../manifest/manifest.ts';
import { toProject } from '../manifest/project.ts';
import type { Services } from '../screens/use-screen.ts';
import { readVariables } from '../system/read-variables.ts';
import { findValueAt } from '../values/json.ts';
import { Store } from '../values/store.ts';
import type { CallMemory } from './call-memory.ts';
import {
  findFieldProblems,
  InputCheck,
  noProblems,
  type Problems,
  toRefusal,
} from './input-check.ts';
import { LiveCall } from './live-call.ts';
import { TargetChoice } from './target-choice.ts';
import { type StartedCall, type TypedCall, toTypedCall } from './typed-call.ts';

export type CallState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running' }
  /** There is no answer: the server is not there, the code ended its process, or nobody waits for it any more. */
  | { readonly kind: 'failed'; readonly message: string; readonly cancelledAfterMs?: number }
  /** `filled`: the call that it answers. */
  | { readonly kind: 'answered'; readonly result: CallResult; readonly filled: unknown };

/** A call that goes on. */
interface Running {
  readonly controller: AbortController;
  readonly isHere: boolean;
  readonly startedAt: number;
}

export interface CallStoreOptions {
  readonly services: Pick<Services, 'terminal' | 'envFile' | 'notify' | 'confirm'>;
  readonly memory: CallMemory;
  readonly capability: Listed;
  readonly manifest: Manifest;
  readonly servers: KnownServers;
  readonly start: StartedCall;
}

/** The form of a capability, its target, and the calls that are made with it, while their screen is open. */
export class CallStore extends Store {
  state: CallState = { kind: 'none' };
  /** Where it can go, as of the last look. */
  targets: readonly CallTarget[];
  /** Whether it was sent with fields that cannot be sent. */
  isTried = false;
  history: readonly PastCall[] = [];
  /** The saved calls of the capability, as they were when their files were last read. */
  saved: readonly SavedCall[] = [];
  readonly live = new LiveCall(() => this.changed());
  readonly #options: CallStoreOptions;
  readonly #choice: TargetChoice;
  #capability: Listed;
  #manifest: Manifest;
  #session: CallSession;
  #field: CallField;
  #form: FormHistory;
  #typed: TypedCall;
  readonly #check = new InputCheck(() => this.changed());
  #running: Running | undefined;

  constructor(options: CallStoreOptions) {
    super();
    const { memory, capability, manifest, servers, start } = options;
    this.#options = options;
    this.#capability = capability;
    this.#manifest = manifest;
    this.#field = toCallField(capability);
    this.#form = memory.formOf(capability.key, this.#field, start);
    this.#typed = this.#toTyped();
    this.#choice = new TargetChoice({ memory, servers, server: start.server });
    this.targets = this.#choice.known;
    this.#session = this.#openSession();
    void readCallHistory(manifest.project.root).then((calls) => this.#setHistory(calls));
    this.#check.check(this.#session, this.#question());
  }

  get form(): FormState {
    return this.#form.present;
  }

  get field(): CallField {
    return this.#field;
  }

  /** The call that the form makes as it is now. */
  get typed(): TypedCall {
    return this.#typed;
  }

  get target(): CallTarget {
    return this.#choice.target;
  }

  /** The address of the target, or of the server that the project has. */
  get serverUrl(): string {
    return this.#choice.serverUrl;
  }

  /** The problems of the rows: those of the schema, and over them what cannot be sent. */
  problems(): Problems {
    const { inputRows, problems } = this.#typed;
    return new Map([...toRowProblems(inputRows, this.#check.problems), ...problems]);
  }

  /** Goes on with the capability of newly loaded code. */
  load(capability: Listed, manifest: Manifest): void {
    if (manifest === this.#manifest && capability.key === this.#capability.key) return;
    this.#capability = capability;
    this.#manifest = manifest;
    this.#field = toCallField(capability);
    this.#session = this.#openSession();
    this.#typed = this.#toTyped();
    this.#check.check(this.#session, this.#question());
    this.changed();
  }

  /** Makes a step of the form. `run`: steps of the same one are undone together. */
  readonly change = (next: FormState | ((now: FormState) => FormState), run?: string): void => {
    const { present } = this.#form;
    this.#keep(addStep(this.#form, next instanceof Function ? next(present) : next, run));
  };

  undo(): void {
    this.#keep(undoChange(this.#form));
  }

  redo(): void {
    this.#keep(redoChange(this.#form));
  }

  fill(next: { readonly input?: unknown; readonly headers?: RequestHeaders }): void {
    this.change(toCallForm(this.#field, { headers: this.#typed.headers, ...next }));
  }

  async findTargets(): Promise<void> {
    this.targets = await this.#choice.find(this.#root, this.#options.services.terminal);
    this.changed();
  }

  choose(target: CallTarget): void {
    this.#choice.choose(target);
    this.changed();
  }

  /** Sends what can be sent; where it cannot, or the schema refuses it, goes to the first row that is wrong. */
  async send(isAsItIs: boolean): Promise<void> {
    const typed = this.#typed;
    if (this.#running !== undefined) return;
    if (typed.problems.size > 0)
      return this.#refuse('The marked fields cannot be sent.', typed.problems);
    if (!(await this.#isSure(this.#capability))) return;
    this.#options.services.notify(''); // What was wrong with the call before is over.
    const wrong = await this.#call(typed, !isAsItIs);
    if (wrong.size > 0) this.#refuse(toRefusal(wrong), toRowProblems(typed.inputRows, wrong));
  }

  readonly cancel = (): void => {
    const { startedAt = performance.now(), isHere = false } = this.#running ?? {};
    const message = isHere ? 'Its process was ended.' : 'The server may have done it.';
    this.state = { kind: 'failed', message, cancelledAfterMs: performance.now() - startedAt };
    this.close();
    this.changed();
  };

  /** Gives up the call that goes on. */
  close(): void {
    this.#running?.controller.abort();
    // What runs in the process of all calls would keep the next one waiting.
    if (this.#running?.isHere === true) this.#session.end();
    this.#running = undefined;
    this.live.forgetQuestion();
  }

  /** Reads the saved calls, and tells of the first file that cannot be read. */
  async readSaved(): Promise<void> {
    const found = await readSavedCalls(this.#root);
    this.saved = found.calls.filter((saved) => saved.call === this.#capability.key);
    this.changed();
    const [first, ...others] = found.problems.map(({ message }) => message);
    if (first === undefined) return;
    const more = others.length === 0 ? '' : ` And ${others.length} more cannot be read.`;
    this.#options.services.notify(first + more);
  }

  /** Makes the calls that a saved one needs, and fills the form with it. */
  async pick({ name }: SavedCall): Promise<void> {
    try {
      const { calls } = await readSavedCalls(this.#root);
      const call = (needed: FilledCall): Promise<CallResult> => this.#callNeeded(needed, name);
      const run = createSavedRun({ calls, variables: this.#variables(), call });
      const { input, headers } = await run.fill(name);
      this.fill({ input, headers: { ...this.#typed.headers, ...headers } });
    } catch (error) {
      this.#options.services.notify(error instanceof Error ? error.message : String(error));
    }
  }

  get #root(): string {
    return this.#manifest.project.root;
  }

  #toTyped(): TypedCall {
    return toTypedCall(this.#field, this.#form.present, this.#root);
  }

  #question(): CallQuestion {
    return { key: this.#capability.key, input: this.#typed.input };
  }

  #openSession(): CallSession {
    const project = toProject(this.#manifest.project);
    const open = () => createCallSession(project, () => this.#variables());
    return this.#options.memory.sessionOf(this.#manifest, open);
  }

  /** The variables of calls as they are now: those of the shell, and of the project's env files. */
  #variables(): Environment {
    const { terminal, envFile } = this.#options.services;
    const workingDirectory = terminal.workingDirectory();
    const files = toEnvFiles(this.#root, { envFile, workingDirectory });
    return { ...readVariables(files, terminal.environment), ...terminal.environment };
  }

  #setHistory(calls: readonly PastCall[]): void {
    this.history = calls;
    this.changed();
  }

  #keep(next: FormHistory): void {
    const { memory, start } = this.#options;
    this.#form = next;
    this.#typed = this.#toTyped();
    memory.forms.set(this.#capability.key, next);
    // The headers of a recorded request are somebody else's: no other call takes them along.
    if (!start.headers)
      memory.lastHeaders = toRequestHeaders(findValueAt(next.present.value, headersPath));
    this.#check.check(this.#session, this.#question());
    this.changed();
  }

  #refuse(notice: string, wrong: Problems): void {
    this.#options.services.notify(notice);
    this.isTried = true;
    const isWrong = ({ id, isEditable }: TypedCall['formRows'][number]): boolean =>
      isEditable && wrong.has(id);
    const first = this.#typed.formRows.find(isWrong);
    if (first === undefined) this.changed();
    else this.change((now) => ({ ...now, focus: first.id }));
  }

  /** Asks whether a call that changes data is made, but in this process and in dev; `why`: the call that needs it. */
  async #isSure({ method, path, facts: { intent } }: Listed, why = ''): Promise<boolean> {
    const { asksFirst, text: name } = this.target;
    if (!asksFirst || intent === 'query') return true;
    return this.#options.services.confirm({
      text: `${why}${method} ${path} on ${name} may change data.`,
      yes: 'send it',
      no: 'do not',
    });
  }

  /** Calls it, where no call runs. `isChecked`: not where the schema refuses the input, which it gives by path. */
  async #call(typed: TypedCall, isChecked: boolean): Promise<Problems> {
    if (this.#running !== undefined) return noProblems;
    const before = this.state;
    const controller = new AbortController();
    const isHere = this.target.url === undefined;
    const running = { controller, isHere, startedAt: performance.now() };
    this.#running = running;
    this.live.clear();
    this.state = { kind: 'running' };
    this.changed();
    const question = { key: this.#capability.key, input: typed.input };
    const wrong = isChecked ? await findFieldProblems(this.#session, question) : noProblems;
    // A call that was cancelled has its state already.
    if (this.#running !== running) return noProblems;
    const state = wrong.size === 0 ? await this.#perform(typed, controller.signal) : before;
    if (this.#running !== running) return noProblems;
    this.#running = undefined;
    this.state = state;
    this.changed();
    return wrong;
  }

  async #perform({ input, headers, filled }: TypedCall, signal: AbortSignal): Promise<CallState> {
    const { key } = this.#capability;
    try {
      const on = this.live.listen(signal);
      const result = await this.#ask({ key, input, headers, signal, on });
      if (!signal.aborted) {
        const past = { key, input: filled, status: result.status, at: Date.now() };
        const secrets = toOperationSecrets(this.#capability);
        void keepCall(this.#root, past, secrets).then((calls) => this.#setHistory(calls));
      }
      return { kind: 'answered', result, filled };
    } catch (error) {
      return { kind: 'failed', message: toNoAnswerText(error) };
    }
  }

  /** Calls any capability at the target. Rejects with `Usage` where a variable of its headers is not set. */
  async #ask(request: CallRequest): Promise<CallResult> {
    const { url, environment = '', headers: named } = this.target;
    if (url === undefined) return performCall({ kind: 'here', call: this.#session.call }, request);
    const headers = expandHeaders(environment, named, this.#variables());
    const routes = toCapabilities(this.#manifest);
    return performCall({ kind: 'server', url, headers, routes, root: this.#root }, request);
  }

  async #callNeeded({ saved, input, headers }: FilledCall, by: string): Promise<CallResult> {
    const listed = expectCapability(saved.call, toCapabilities(this.#manifest));
    if (!(await this.#isSure(listed, `@${by} needs @${saved.name}: `)))
      throw new Error(`@${saved.name} was not called`);
    const filled = toCallInput(toCallField(listed).input, input, this.#root);
    return this.#ask({ key: listed.key, input: filled, headers });
  }
}
