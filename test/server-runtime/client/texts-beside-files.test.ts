import { expect, it } from 'vitest';
import * as z from 'zod';
import { createClientOf } from '../../../server-runtime/client/create-client-of.ts';
import { createClient } from '../../../server-runtime/client/index.ts';
import { capability, uploadedFile } from '../../../server-runtime/index.ts';
import { startOverSocket } from '../../helpers/start-rest.ts';

const attach = capability(
  z.object({
    text: z.string(),
    note: z.object({ text: z.string() }),
    file: uploadedFile().optional(),
  }),
  ({ file: _file, ...sent }) => sent,
  'mutation',
);
const capabilities = { things: { attach } };

it.each(['\n', 'a\nb', 'a\rb', 'a\r\nb', 'a'])(
  'beside a file the lines of a text end as FormData has it, and as they were in an object: %j',
  async (text) => {
    const { url } = await startOverSocket({ capabilities, rest: { calls: true } });
    const written = createClientOf<{ readonly attach: (input: object) => Promise<unknown> }>({
      attach: ['POST', '/things/attach'],
    })({ baseUrl: url });
    const inferred = createClient<typeof capabilities>({ baseUrl: url });
    const sent = { text, note: { text } };
    const file = new File(['x'], 'a.txt');
    const arrived = { text: text.replaceAll(/\r\n|\r|\n/g, '\r\n'), note: { text } };
    expect(await written.attach({ ...sent, file })).toEqual(arrived);
    expect(await inferred.things.attach({ ...sent, file })).toEqual(arrived);
    expect(await written.attach(sent)).toEqual(sent);
    expect(await inferred.things.attach(sent)).toEqual(sent);
  },
);
