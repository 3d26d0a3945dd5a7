import { capability } from 'capix';
import * as z from 'zod';

export const capabilities = {
  /** An HTTP route, `GET /hello?name=Ada`, and a tool for agents. */
  hello: capability(
    z.object({ name: z.string().min(1).default('world').describe('Who is greeted') }),
    ({ name }) => ({ greeting: `Hello, ${name}!` }),
    'query',
  )
    .output(z.object({ greeting: z.string() }))
    .describe('Greet somebody'),
};
