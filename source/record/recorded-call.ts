import { passGuard } from '../../server-runtime/capability/guard-call.ts';
import { isReply } from '../../server-runtime/capability/reply.ts';
import { toStages } from '../../server-runtime/capability/run-capability.ts';
import { findDeclaredSecrets } from '../../server-runtime/capability/secrets.ts';
import {
  isError,
  noteRefusal,
  type RefusedBy,
  readThrown,
} from '../../server-runtime/errors/failure.ts';
import { andThen } from '../../server-runtime/errors/maybe-promise.ts';
import type { RunningCall } from '../../server-runtime/execution/execute.ts';
import type { EndMark } from '../../server-runtime/observe/waits.ts';
import type { Operation } from '../../server-runtime/registry/compile-registry.ts';
import { looksSecret } from '../../server-runtime/schema/received.ts';
import { createSecretCheck, type IsSecret } from '../../server-runtime/schema/secret-names.ts';
import type { AnsweredRequest, FailedRequest } from '../../server-runtime/server/hooks.ts';
import { type KnownPlaces, MarkedTimes } from './call-marks.ts';
import type { Carrier } from './carrier.ts';
import { toPreview } from './preview.ts';
import type {
  FieldRecord,
  GuardRecord,
  Preview,
  RecordedLine,
  RequestDetails,
  RequestRecord,
} from './request-record.ts';

const MAX_LOGS = 50;
/** The longest line of a log that is stored with its call. */
const MAX_LINE_LENGTH = 2_000;

export class RecordedCall {
  answered: AnsweredRequest | undefined;
  /** Whether it is known which request of the library it is. */
  isNamed = false;
  /** Why it failed. */
  failure: FailedRequest['failure'] | undefined;
  /** When its answer, or its failure, was known. */
  endedAt: number | undefined;
  readonly marks: MarkedTimes;
  /** Ends the step between two others that no function is: the context, the reading of the input, the sending. */
  #endStep: EndMark = () => {};
  readonly #id: string;
  readonly #carrier: Carrier;
  readonly #at = Date.now();
  readonly #startedAt = performance.now();
  readonly #guards: GuardRecord[] = [];
  readonly #logs: RecordedLine[] = [];
  #secretNames: readonly string[] = [];
  #isSecret: IsSecret = looksSecret;
  #seen: Pick<RequestDetails, 'hasRun' | 'input' | 'sent' | 'context' | 'answer' | 'error'> = {
    hasRun: false,
  };

  constructor(id: string, carrier: Carrier, places?: KnownPlaces) {
    this.marks = new MarkedTimes(places);
    this.#id = id;
    this.#carrier = carrier;
  }

  addLog(stream: RecordedLine['stream'], text: string): void {
    const left = MAX_LOGS - this.#logs.length;
    if (left <= 0) return;
    const lines = text.replace(/\n$/, '').split('\n', left);
    this.marks.note('log', lines[0] ?? '');
    for (const line of lines) this.#logs.push({ stream, text: line.slice(0, MAX_LINE_LENGTH) });
  }

  /** Called with the value that is sent, and before with that of the handler, where its schema makes another one. */
  #seeAnswer<Value>(value: Value): Value {
    this.endedAt = performance.now();
    const answer: unknown = isReply(value) ? value.data : value;
    this.#see({ answer: toPreview(answer ?? null, this.#isSecret) });
    return value;
  }

  /** The input as the handler gets it. */
  #seeHandled(input: Preview): void {
    const { input: sent } = this.#seen;
    const isOther = JSON.stringify(sent) !== JSON.stringify(input);
    this.#see({ input, hasRun: true, ...(isOther && { sent }) });
  }

  setFailed({ failure }: Pick<FailedRequest, 'failure'>): void {
    this.#endStep();
    this.endedAt = performance.now();
    this.failure = failure;
    const { name, message, meta, cause } = failure;
    const thrown = isError(cause) ? readThrown(cause) : { name, message, stack: undefined };
    this.#see({ error: { ...thrown, meta: meta && toPreview(meta) } });
  }

  /** The operation with its guards and its handler looked on at, for one call, which begins with its context. */
  watch(operation: Operation, call: Pick<RunningCall, 'held'>): Operation {
    const { guards, inputGuards } = operation.definition;
    this.#secretNames = findDeclaredSecrets(operation.definition);
    this.#isSecret = createSecretCheck(this.#secretNames);
    const { marks } = this;
    const steps = operation.steps();
    const { admit, toAnswer } = steps;
    const watched: Omit<typeof steps, 'stages'> = {
      ...steps,
      admit:
        admit &&
        ((ctx, input) => {
          this.#endStep();
          return marks.run('guard', 'limits', () => admit(ctx, input));
        }),
      checkGuards: async (run) => {
        this.#endStep();
        this.#see({ context: toPreview(run.ctx, this.#isSecret) });
        for (const guard of guards)
          run.ctx = await this.#check({ name: guard.name, sawInput: false }, () =>
            passGuard(guard, run.ctx, run.source),
          );
        this.#endStep = marks.begin('reading');
        return undefined;
      },
      checkInputGuards: async (ctx, input) => {
        // Each takes the input and the context of its own capability, whose types are not known here.
        for (const { name, check } of inputGuards)
          await this.#check({ name, sawInput: true }, () => check(input as never, ctx as never));
      },
      validate: (input) => {
        this.#endStep();
        this.#see({ input: toPreview(input, this.#isSecret) });
        return marks.run('validation', '', () => steps.validate(input));
      },
      handle: (input, ctx) => {
        this.#seeHandled(toPreview(input, this.#isSecret));
        return andThen(steps.handle(input, ctx), (value) => {
          this.#seeAnswer(value);
          if (toAnswer === undefined) this.#beginSending(call);
          return value;
        });
      },
      toAnswer:
        toAnswer &&
        ((value, ctx) => {
          const made = marks.run('output', '', () => toAnswer(value, ctx));
          return andThen(made, (answer) => {
            this.#beginSending(call);
            return this.#seeAnswer(answer);
          });
        }),
    };
    const whole = { ...watched, stages: toStages(watched) };
    const begin = (): typeof whole => {
      this.#endStep = marks.begin('context');
      return whole;
    };
    return { ...operation, steps: begin };
  }

  /** From the last step to the end of the answer: of a stream, all of its items. */
  #beginSending(call: Pick<RunningCall, 'held'>): void {
    this.#endStep = this.marks.begin('sending');
    const { held } = call;
    if (held === undefined) return;
    call.held = { ...held, release: () => this.marks.run('release', '', held.release) };
  }

  toRecord(): RequestRecord {
    const { answered } = this;
    return {
      id: this.#id,
      at: this.#at,
      ...this.#carrier.start,
      capability: answered?.capability,
      status: answered?.status ?? 0,
      durationMs: performance.now() - this.#startedAt,
      requestId: answered?.request.requestId,
      ...this.#carrier.readEnd(),
      details: this.toDetails(),
    };
  }

  toDetails(): RequestDetails {
    this.#endStep();
    return {
      ...this.#seen,
      ...this.#carrier.readDetails(),
      guards: this.#guards,
      logs: this.#logs,
      marks: this.marks.toMarks(),
      secretNames: this.#secretNames,
    };
  }

  #see(more: Partial<RequestDetails>): void {
    this.#seen = { ...this.#seen, ...more };
  }

  /** Runs the check of a guard, whose refusal has its name. An error that a guard returns counts as thrown. */
  async #check(guard: RefusedBy, check: () => unknown): Promise<unknown> {
    const { name } = guard;
    try {
      const checked = await this.marks.run('guard', name, check);
      if (checked instanceof Error) throw checked;
      this.#guards.push({ name });
      return checked;
    } catch (thrown) {
      noteRefusal(thrown, guard);
      this.#guards.push({ name, rejection: readThrown(thrown).message });
      throw thrown;
    }
  }
}

/** The most fields of an operation that are recorded. */
const MAX_FIELDS = 50;

interface RecordedField {
  readonly path: string;
  readonly capability: string;
  readonly startedAt: number;
  readonly calls: [RecordedCall, ...RecordedCall[]];
}

/** The fields of an operation that are calls. The calls of a link in all values of a list are one field. */
export class RecordedFields {
  readonly #fields = new Map<string, RecordedField>();

  /** Adds a call that begins, unless there are too many fields. `place` is its path: `listPosts.0.author`. */
  add(place: string, capability: string, call: RecordedCall): void {
    const path = place.replaceAll(/\.\d+(?=\.|$)/g, '');
    const known = this.#fields.get(path);
    if (known !== undefined) known.calls.push(call);
    else if (this.#fields.size < MAX_FIELDS)
      this.#fields.set(path, { path, capability, startedAt: performance.now(), calls: [call] });
  }

  toRecords(): readonly FieldRecord[] {
    return [...this.#fields.values()].map(toFieldRecord);
  }
}

/** The details are those of its first call that failed, or else of its first one. */
function toFieldRecord({ path, capability, startedAt, calls }: RecordedField): FieldRecord {
  const failed = calls.filter(({ failure }) => failure !== undefined);
  const ended = calls.map(({ endedAt = performance.now() }) => endedAt);
  const [shown = calls[0]] = failed;
  const { failure } = shown;
  const isWhole = calls.every(({ endedAt }) => endedAt !== undefined);
  return {
    path,
    capability,
    calls: calls.length,
    failed: failed.length,
    status: failure?.status ?? (isWhole ? 200 : 0),
    error: failure && { name: failure.name, message: failure.message },
    durationMs: Math.max(startedAt, ...ended) - startedAt,
    details: shown.toDetails(),
  };
}
