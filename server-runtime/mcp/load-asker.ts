import { randomBytes } from 'node:crypto';
import type { InputRequest, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import type { CallerTools, Elicited, ElicitOptions } from '../capability/call-request.ts';
import { InputRequired } from '../enhancers/with-caller.ts';
import type { Outcome } from '../errors/failure.ts';
import { toJsonText, toWholeText } from '../http/to-json-text.ts';
import type { Schema } from '../schema/schema.ts';
import { createValidator } from '../schema/validator.ts';
import type { Client } from './caller.ts';

/** The link of one call, and the questions that it has asked and nobody has answered yet. */
export interface AskingLink extends CallerTools {
  /** The result to send in place of that of the call: undefined where nothing was asked. */
  readonly findPending: () => Promise<InputRequiredResult> | undefined;
  /** The call is over: nothing is sent from now on. */
  readonly end: () => void;
}

export interface Asker {
  /** `key` is that of the capability. */
  readonly createLink: (key: string, context: ServerContext, client: Client) => AskingLink;
  /** Checks what clients hold from one round of questions to the next. */
  readonly verify: (state: string, context: ServerContext) => unknown;
}

/** The state that a client holds from one round to the next: the answers so far, by the name of the question. */
interface AskState {
  /** The capability that asks. */
  readonly key: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

/** The shortest key that the SDK signs with, bytes. */
const KEY_BYTES = 32;

/** `secret` signs what clients hold between rounds of questions; a random one by default. */
export async function loadAsker(secret: string | undefined): Promise<Asker> {
  const sdk = await import('@modelcontextprotocol/server');
  const codec = sdk.createRequestStateCodec<AskState>({ key: secret ?? randomBytes(KEY_BYTES) });

  function createLink(key: string, context: ServerContext, { capabilities = {}, isStateless }: Client): AskingLink {
    const { requestState, inputResponses } = context.mcpReq;
    const state = requestState<AskState>();
    const answers = { ...(state?.key === key ? state.answers : {}), ...inputResponses };
    const pending: Record<string, InputRequest> = {};
    const { elicitation } = capabilities;
    // Clients of the first revision with questions say no more than that they take them.
    const takesForms = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
    let asked = 0;
    let unable: string | undefined;

    const elicit = async (message: string, schema: Schema, options: ElicitOptions = {}): Promise<Elicited> => {
      if (!takesForms) {
        unable =
          `The user must be asked, and this client cannot: ${message} Tell the user so, who can make this call ` +
          'with a client that supports elicitation.';
        throw InputRequired(unable);
      }
      asked += 1;
      const { name = `question-${asked}` } = options;
      const answer = sdk.inputResponse(answers, name);
      if (answer.kind === 'elicit') {
        if (answer.action !== 'accept') return { action: answer.action };
        // An empty form may come back without content.
        const content = await createValidator(schema)(answer.content ?? {});
        if (content.ok) return { action: 'accept', content: content.value };
      }
      pending[name] = sdk.inputRequired.elicit({ message: toWholeText(message), requestedSchema: schema as never });
      throw InputRequired(message);
    };

    const findPending = (): Promise<InputRequiredResult> | undefined => {
      if (unable !== undefined && isStateless) {
        const data = { requiredCapabilities: { elicitation: { form: {} } } };
        return Promise.reject(new sdk.MissingRequiredClientCapabilityError(data, unable));
      }
      if (Object.keys(pending).length === 0) return undefined;
      const mint = codec.mint({ key, answers }, context);
      return mint.then((minted) => sdk.inputRequired({ inputRequests: pending, requestState: minted }));
    };
    return { ...createNotes(key, context), elicit: elicit as CallerTools['elicit'], findPending };
  }

  return { createLink, verify: codec.verify };
}

/** Nobody waits for what is sent beside the result, and what is lost of it is lost. */
function createNotes(key: string, { mcpReq }: ServerContext): Pick<AskingLink, 'progress' | 'log' | 'end'> {
  const token = mcpReq._meta?.progressToken;
  let isOver = false;
  let furthest = Number.NEGATIVE_INFINITY;
  return {
    progress: (progress, total, message) => {
      if (isOver || token === undefined || !(progress > furthest)) return;
      furthest = progress;
      const params = { progressToken: token, progress, total, message: message && toWholeText(message) };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    },
    log: (level, data) => {
      const send = async (): Promise<void> => mcpReq.log(level, JSON.parse(toJsonText(data) ?? 'null'), key);
      if (!isOver) send().catch(() => {});
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
