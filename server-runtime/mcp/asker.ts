import * as sdk from '@modelcontextprotocol/server';
import type { CallerTools, Elicited } from '../capability/context.ts';
import { InputRequired } from '../enhancers/with-caller.ts';
import type { Outcome } from '../errors/failure.ts';
import { createValidator } from '../schema/validator.ts';
import { toJsonText } from '../server/to-json-text.ts';
import { type AnsweredCall, toCallDigest } from './same-caller.ts';
import type { Message } from './server-maker.ts';

/** The answers so far, which a client holds from one round of questions to the next; `call` identifies their call. */
interface AskState {
  readonly call: string;
  readonly answers: Readonly<Record<string, unknown>>;
}

export type AskCodec = sdk.RequestStateCodec<AskState>;

interface CallerLink {
  readonly tools: CallerTools;
  /** Stops sending, and returns the questions to send in place of the outcome, where the call has some. */
  readonly end: (outcome: Outcome) => Promise<sdk.InputRequiredResult | undefined>;
}

/**
 * The messages of a call to its caller. An answer counts for one caller, capability and input, those of its question:
 * the "yes" to another call counts for nothing, and the user gets the question again.
 */
export function createCallerLink(
  codec: AskCodec,
  { key, input }: Pick<AnsweredCall, 'key' | 'input'>,
  { capabilities, isStateless, progressToken, notify, ...message }: Message,
): CallerLink {
  const elicitation = capabilities?.elicitation;
  // Clients of the first revision with questions say no more than that they take them.
  const takesForms =
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  const state = message.state as AskState | undefined;
  const { identity, headers } = message.caller;
  // A handler may change its input, so this does not wait for the first question.
  const call = takesForms
    ? toCallDigest({ key, input, identity, authorization: headers['authorization'] })
    : '';
  const answers =
    takesForms && state?.call === call ? { ...state.answers, ...message.answers } : {};
  const pending: Record<string, sdk.InputRequest> = {};
  // A server that has restarted no longer knows the sessions in which clients declared their capabilities.
  const isOfLostSession = capabilities === undefined && headers['mcp-session-id'] !== undefined;
  let questionCount = 0;
  let furthest = Number.NEGATIVE_INFINITY;
  let unable: string | undefined;
  let isOver = false;
  // Messages beside the result are optional, so a lost one is ignored.
  const send = (note: () => Promise<void>): void => {
    if (!isOver) note().catch(() => {});
  };
  const tools: CallerTools = {
    progress: (progress, total, text) => {
      if (progressToken === undefined || !(progress > furthest)) return;
      furthest = progress;
      const params = { progressToken, progress, total, message: text?.toWellFormed() };
      send(() => notify({ method: 'notifications/progress', params }));
    },
    log: (level, data) =>
      send(async () => message.log(level, JSON.parse(toJsonText(data) ?? 'null'), key)),
    elicit: async (text, schema, options = {}): Promise<Elicited<never>> => {
      questionCount += 1;
      const { name = `question-${questionCount}` } = options;
      if (!takesForms) {
        unable = isOfLostSession
          ? `The user must be asked, and the server does not know the session of this client any more: ${text} It ` +
            'may have been started again. Connect to it again, then make this call once more.'
          : `The user must be asked, and this client cannot: ${text} Tell the user so, who can make this call with a ` +
            'client that supports elicitation.';
        throw InputRequired(unable);
      }
      const answer = sdk.inputResponse(answers, name);
      if (answer.kind === 'elicit') {
        if (answer.action !== 'accept') return { action: answer.action };
        // An empty form may come back without content.
        const content = await createValidator(schema)(answer.content ?? {});
        if (content.ok) return { action: 'accept', content: content.value as never };
      }
      pending[name] = sdk.inputRequired.elicit({
        message: text.toWellFormed(),
        requestedSchema: schema as never,
      });
      throw InputRequired(text);
    },
  };
  const end: CallerLink['end'] = async (outcome) => {
    isOver = true;
    if (outcome.ok || outcome.failure.name !== InputRequired.errorName) return undefined;
    const lacking = { requiredCapabilities: { elicitation: { form: {} } } };
    if (unable !== undefined && isStateless)
      throw new sdk.MissingRequiredClientCapabilityError(lacking, unable);
    if (Object.keys(pending).length === 0) return undefined;
    return sdk.inputRequired({
      inputRequests: pending,
      requestState: await codec.mint({ call, answers }),
    });
  };
  return { tools, end };
}
