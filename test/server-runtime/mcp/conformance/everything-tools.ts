import * as z from 'zod';
import { blocks, bytes, capability, withCaller } from '../../../../server-runtime/index.ts';
import { pixelPng, silentWav } from './media.ts';

/** The tools that the conformance suite of the protocol calls, under the names that it gives them. */
const named = (name: string) => ({ name: `test_${name}` });
const asking = capability.use(withCaller);

const simpleText = capability(() => blocks('This is a simple text response for testing.'), 'query')
  .tool(named('simple_text'))
  .describe('Answers with a text');

const imageContent = capability(() => pixelPng, 'query')
  .output(bytes('image/png'))
  .tool(named('image_content'))
  .describe('Answers with an image');

const audioContent = capability(() => silentWav, 'query')
  .output(bytes('audio/wav'))
  .tool(named('audio_content'))
  .describe('Answers with audio');

const embedded = { uri: 'test://embedded-resource', mimeType: 'text/plain' };
const embeddedResource = capability(
  () => blocks({ ...embedded, text: 'This is an embedded resource content.' }),
  'query',
)
  .tool(named('embedded_resource'))
  .describe('Answers with a resource');

const mixed = { uri: 'test://mixed-content-resource', mimeType: 'application/json' };
const multipleContentTypes = capability(
  () =>
    blocks(
      'Multiple content types test:',
      { bytes: pixelPng, mimeType: 'image/png' },
      { ...mixed, text: '{"test":"data","value":123}' },
    ),
  'query',
)
  .tool(named('multiple_content_types'))
  .describe('Answers with a text, an image and a resource');

const errorHandling = capability((): string => {
  throw new Error('This tool intentionally returns an error for testing');
}, 'query')
  .tool(named('error_handling'))
  .describe('Fails');

const steps = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];
const toolWithLogging = asking((_input, { log }) => {
  for (const step of steps) log('info', step);
  return blocks('Three notes were sent.');
}, 'query')
  .tool(named('tool_with_logging'))
  .describe('Sends three notes');

const loggingTool = asking((_input, { log }) => {
  log('info', 'A note');
  return blocks('A note was sent to whoever asked for notes.');
}, 'query')
  .tool(named('logging_tool'))
  .describe('Sends a note');

const toolWithProgress = asking((_input, { progress }) => {
  for (const done of [0, 50, 100]) progress(done, 100);
  return blocks('Done');
}, 'query')
  .tool(named('tool_with_progress'))
  .describe('Says how far it is');

const contact = z.object({
  username: z.string().describe("User's response"),
  email: z.string().describe("User's email address"),
});
const elicitation = asking(z.object({ message: z.string() }), async ({ message }, { elicit }) =>
  blocks(`User response: ${JSON.stringify(await elicit(message, contact))}`),
)
  .tool(named('elicitation'))
  .describe('Asks the user');

const standard = z.object({
  name: z.string().default('John Doe'),
  age: z.int().default(30),
  score: z.number().default(95.5),
  status: z.enum(['active', 'inactive', 'pending']).default('active'),
  verified: z.boolean().default(true),
});
const elicitationDefaults = asking(async (_input, { elicit }) =>
  blocks(`Elicitation completed: ${JSON.stringify(await elicit('Check these fields', standard))}`),
)
  .tool(named('elicitation_sep1034_defaults'))
  .describe('Asks the user with values to begin with');

const three = ['option1', 'option2', 'option3'] as const;
const titled = (key: 'oneOf' | 'anyOf', titles: Readonly<Record<string, string>>) => ({
  [key]: Object.entries(titles).map(([value, title]) => ({ const: value, title })),
});
const values = { value1: 'First Option', value2: 'Second Option', value3: 'Third Option' };
const choices = z.object({
  untitledSingle: z.enum(three),
  titledSingle: z.string().meta(titled('oneOf', values)),
  legacyEnum: z
    .enum(['opt1', 'opt2', 'opt3'])
    .meta({ enumNames: ['Option One', 'Option Two', 'Option Three'] }),
  untitledMulti: z.array(z.enum(three)),
  titledMulti: z.array(z.string()).meta({ items: titled('anyOf', values) }),
});
const elicitationEnums = asking(async (_input, { elicit }) =>
  blocks(`Elicitation completed: ${JSON.stringify(await elicit('Choose', choices))}`),
)
  .tool(named('elicitation_sep1330_enums'))
  .describe('Asks the user to choose');

const person = z.object({ name: z.string() });
const inputRequiredElicitation = asking(async (_input, { elicit }) => {
  const answer = await elicit('What is your name?', person, { name: 'user_name' });
  return blocks(answer.action === 'accept' ? `Hello, ${answer.content.name}!` : 'Hello!');
})
  .tool(named('input_required_result_elicitation'))
  .describe('Asks for a name');

const streamingElicitation = asking(async (_input, { elicit }) => {
  const answer = await elicit('What is your name?', person, { name: 'user_name' });
  return blocks(answer.action);
})
  .tool(named('streaming_elicitation'))
  .describe('Asks for a name');

const ok = z.object({ ok: z.boolean() });
const confirming = asking(async (_input, { elicit }) => {
  const answer = await elicit('Please confirm', ok, { name: 'confirm' });
  return blocks(`state-ok: ${answer.action}`);
});
const inputRequiredState = confirming
  .tool(named('input_required_result_request_state'))
  .describe('Asks for a confirmation');
const inputRequiredTampered = confirming
  .tool(named('input_required_result_tampered_state'))
  .describe('Asks for a confirmation');

const inputRequiredRounds = asking(async (_input, { elicit }) => {
  const who = await elicit('Step 1: What is your name?', person, { name: 'step1' });
  const color = z.object({ color: z.string() });
  const what = await elicit('Step 2: What is your favorite color?', color, { name: 'step2' });
  return blocks(JSON.stringify([who, what]));
})
  .tool(named('input_required_result_multi_round'))
  .describe('Asks twice');

/** The tools that the suite calls. */
export const everythingTools = {
  simpleText,
  imageContent,
  audioContent,
  embeddedResource,
  multipleContentTypes,
  errorHandling,
  toolWithLogging,
  loggingTool,
  toolWithProgress,
  elicitation,
  elicitationDefaults,
  elicitationEnums,
  inputRequiredElicitation,
  streamingElicitation,
  inputRequiredState,
  inputRequiredTampered,
  inputRequiredRounds,
};
