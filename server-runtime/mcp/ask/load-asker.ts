import { randomBytes } from 'node:crypto';
import type {
  ClientCapabilities,
  InputRequest,
  InputRequiredResult,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { CallerTools, Elicited, ElicitOptions } from '../../capability/call-request.ts';
import { InputRequired } from '../../enhancers/with-caller.ts';
import type { Outcome } from '../../errors/failure.ts';
import type { Schema } from '../../schema/schema.ts';
import { createValidator } from '../../schema/validator.ts';

/** The link of one call, and the questions that it has asked and nobody has answered yet. */
export interface AskingLink extends CallerTools {
  /** The answer to send in place of that of the call: undefined where nothing was asked. */
  readonly findPending: () => Promise<InputRequiredResult> | undefined;
  /** The call is over: nothing is sent from now on. */
  readonly end: () => void;
}

/** The facts about a call that asks. */
export interface Asking {
  /** Key of the capability. */
  readonly key: string;
  readonly context: ServerContext;
  /** The abilities of the client, as it has said. */
  readonly client: ClientCapabilities | undefined;
  /** Whether the revision is 2026-07-28, in which a client that cannot be asked is told so by the protocol. */
  readonly isStateless: boolean;
}

export interface Asker {
  readonly createLink: (asking: Asking) => AskingLink;
  /** Checks what clients hold from one round of questions to the next. */
  readonly verify: (state: string, context: ServerContext) => unknown;
}

/** The shortest key that the SDK signs with, bytes. */
const KEY_BYTES = 32;

/** `secret` signs what clients hold between rounds of questions; a random one by default. */
export async function loadAsker(secret: string | undefined): Promise<Asker> {
  const { createRequestStateCodec, inputRequired, inputResponse, ...sdk } = await import(
    '@modelcontextprotocol/server'
  );
  const codec = createRequestStateCodec<AskState>({ key: secret ?? randomBytes(KEY_BYTES) });

  function createLink({ key, context, client, isStateless }: Asking): AskingLink {
    const answers = answersOf(context, key);
    const pending: Record<string, InputRequest> = {};
    let asked = 0;
    let unable: string | undefined;

    const elicit = async (message: string, schema: Schema, options: ElicitOptions = {}): Promise<Elicited> => {
      if (!takesForms(client)) {
        unable = `The user must be asked, and this client cannot: ${message} ${whatToDo}`;
        throw InputRequired(unable);
      }
      asked += 1;
      const { name = `question-${asked}` } = options;
      const answer = inputResponse(answers, name);
      if (answer.kind === 'elicit') {
        if (answer.action !== 'accept') return { action: answer.action };
        // An empty form may come back without content.
        const content = await createValidator(schema)(answer.content ?? {});
        if (content.ok) return { action: 'accept', content: content.value };
      }
      pending[name] = inputRequired.elicit({ message, requestedSchema: schema as never });
      throw InputRequired(message);
    };

    const findPending = (): Promise<InputRequiredResult> | undefined => {
      if (unable !== undefined && isStateless) {
        const data = { requiredCapabilities: { elicitation: { form: {} } } };
        return Promise.reject(new sdk.MissingRequiredClientCapabilityError(data, unable));
      }
      if (Object.keys(pending).length === 0) return undefined;
      const mint = codec.mint({ key, answers }, context);
      return mint.then((requestState) => inputRequired({ inputRequests: pending, requestState }));
    };
    return { ...createNotes(key, context), elicit: elicit as CallerTools['elicit'], findPending };
  }

  return { createLink, verify: (state, context) => codec.verify(state, context) };
}

const whatToDo = 'Tell the user so, who can make this call with a client that supports elicitation.';

/** Clients of the first revision with questions say no more than that they take them. */
function takesForms(client: ClientCapabilities | undefined): boolean {
  const { elicitation } = client ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Nobody waits for what is sent beside the answer, and what is lost of it is lost. */
function createNotes(key: string, { mcpReq }: ServerContext): Pick<AskingLink, 'progress' | 'log' | 'end'> {
  const token = mcpReq._meta?.progressToken;
  let isOver = false;
  let furthest = Number.NEGATIVE_INFINITY;
  return {
    progress: (progress, total, message) => {
      if (isOver || token === undefined || !(progress > furthest)) return;
      furthest = progress;
      const params = { progressToken: token, progress, total, message };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    },
    log: (level, data) => {
      if (!isOver) mcpReq.log(level, data, key).catch(() => {});
    },
    end: () => {
      isOver = true;
    },
  };
}

/** Whether an outcome is that of a call which asked and has no answer yet. */
export function isAsking(outcome: Outcome): boolean {
  return !outcome.ok && outcome.failure.name === InputRequired.errorName;
}

/** The answers that a client has given so far, by the key of the question. */
type AnsweredQuestions = Readonly<Record<string, unknown>>;

/** The state that a client holds for the server from one round of questions to the next. */
interface AskState {
  /** The capability that asks. */
  readonly key: string;
  readonly answers: AnsweredQuestions;
}

/** Answers of this round, and of the rounds before where the client hands back what it holds. */
function answersOf({ mcpReq }: ServerContext, key: string): AnsweredQuestions {
  const state = mcpReq.requestState<AskState>();
  return { ...(state?.key === key ? state.answers : {}), ...mcpReq.inputResponses };
}
