import * as z from 'zod';
import { blocks, bytes, capability, withCaller } from '../../../../server-runtime/index.ts';
import { pixelPng } from './media.ts';

const staticText = capability(() => 'This is the content of the static text resource.', 'query')
  .tool(false)
  .describe('A text')
  .resource('test://static-text', { name: 'static-text', mimeType: 'text/plain' });

const staticBinary = capability(() => pixelPng, 'query')
  .output(bytes('image/png'))
  .tool(false)
  .describe('An image')
  .resource('test://static-binary', { name: 'static-binary', mimeType: 'image/png' });

const watched = capability(() => 'It may change.', 'query')
  .tool(false)
  .describe('A text that may change')
  .resource('test://watched-resource', { name: 'watched', mimeType: 'text/plain' });

const template = capability(
  z.object({ id: z.string() }),
  ({ id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
  'query',
)
  .tool(false)
  .describe('Data of an id')
  .resource('test://template/{id}/data', { name: 'template', mimeType: 'application/json' });

const simplePrompt = capability(() => 'This is a simple prompt for testing.', 'query')
  .tool(false)
  .describe('A prompt')
  .prompt({ name: 'test_simple_prompt' });

const cities = ['paris', 'park', 'party'];
const promptWithArguments = capability(
  z.object({
    arg1: z.string().describe('First test argument'),
    arg2: z.string().describe('Second test argument'),
  }),
  ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  'query',
)
  .tool(false)
  .describe('A prompt with arguments')
  .prompt({
    name: 'test_prompt_with_arguments',
    suggest: { arg1: (typed) => cities.filter((city) => city.startsWith(typed)) },
  });

const promptWithResource = capability(
  z.object({ resourceUri: z.string().describe('URI of the resource to embed') }),
  ({ resourceUri }) =>
    blocks(
      { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      'Please process the embedded resource above.',
    ),
  'query',
)
  .tool(false)
  .describe('A prompt with a resource')
  .prompt({ name: 'test_prompt_with_embedded_resource' });

const promptWithImage = capability(
  () => blocks({ bytes: pixelPng, mimeType: 'image/png' }, 'Please analyze the image above.'),
  'query',
)
  .tool(false)
  .describe('A prompt with an image')
  .prompt({ name: 'test_prompt_with_image' });

const askingPrompt = capability
  .use(withCaller)(async (_input, { elicit }) => {
    const answer = await elicit(
      'What context should the prompt use?',
      z.object({ context: z.string() }),
      {
        name: 'user_context',
      },
    );
    return `Use this: ${answer.action === 'accept' ? answer.content.context : 'nothing'}`;
  }, 'query')
  .tool(false)
  .describe('A prompt that asks the user')
  .prompt({ name: 'test_input_required_result_prompt' });

/** The resources and prompts that the suite reads. */
export const everythingOffers = {
  staticText,
  staticBinary,
  watched,
  template,
  simplePrompt,
  promptWithArguments,
  promptWithResource,
  promptWithImage,
  askingPrompt,
};
