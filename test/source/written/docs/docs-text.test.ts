import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  capability,
  compileRegistry,
  defineError,
  defineGuard,
  uploadedFile,
} from '../../../../server-runtime/index.ts';
import { describeApi } from '../../../../source/manifest/describe-api.ts';
import { toDocsText } from '../../../../source/written/docs/docs-text.ts';

const mustBeUser = defineGuard(() => {}, {
  name: 'mustBeUser',
  security: { type: 'http', scheme: 'bearer' },
});
const Fields = z.object({
  name: z
    .string()
    .min(1)
    .max(20)
    .describe('How | it is ``` called')
    .meta({ examples: ['Ada'] }),
  home: z.object({ street: z.string(), country: z.enum(['ch', 'de']) }),
  lines: z
    .array(z.object({ sku: z.string().regex(/^(a|b)*$/), count: z.number().min(1).default(1) }))
    .optional(),
});
const TooMany = defineError(409, 'TooMany', { meta: z.object({ limit: z.number() }) });
const registry = compileRegistry({
  users: {
    getUser: capability(z.object({ id: z.string() }), () => ({ home: { street: '' } }))
      .output(z.object({ home: z.object({ street: z.string() }).nullable() }))
      .deprecated({}),
    createUser: capability(Fields, () => 1).guard(mustBeUser),
    uploadAvatar: capability(
      z.object({ id: z.string(), avatar: uploadedFile({ maxSize: 1000 }) }),
      () => 1,
    ),
    sayTicks: capability(
      z.object({ text: z.string().meta({ examples: ['```\n# no heading'] }) }),
      () => 1,
    ),
    putFile: capability(z.object({ path: z.string() }), () => 1)
      .route('PUT', '/files/*path')
      .errors(TooMany),
  },
});
const restOptions = { docs: { servers: [{ url: 'https://api.example.org/' }] } };
const { document } = describeApi({ registry, restOptions });
const text = toDocsText(document, registry.operations);

it('tells fields inside of fields, limits and examples', () => {
  const rows = text.split('\n').filter((line) => /^\| `(name|home|lines)/.test(line));
  expect(rows).toEqual([
    '| `home` | `object \\| null` | yes |  |',
    '| `home.street` | `string` | yes |  |',
    '| `name` | body | `string` | yes | How \\| it is ``` called. 1 to 20 characters. Example `"Ada"`. |',
    '| `home` | body | `object` | yes |  |',
    '| `home.street` | body | `string` | yes |  |',
    "| `home.country` | body | `'ch' \\| 'de'` | yes |  |",
    '| `lines` | body | `object[]` | no |  |',
    '| `lines[].sku` | body | `string` | yes | Matches `/^(a\\|b)*$/`. |',
    '| `lines[].count` | body | `number` | no | At least 1. Default `1`. |',
  ]);
});

it('says what to send, and how with curl, in blocks that nothing ends early', () => {
  expect(text).toContain('Send `bearer` credentials in the header `authorization`.');
  expect(text).toContain('**Deprecated.**');
  const blocks = [...text.matchAll(/^(`{3,})sh\n([^]*?)\n\1$/gm)].map(([, , code]) => code);
  expect(blocks).toEqual([
    "curl 'https://api.example.org/users/text'",
    expect.stringMatching(
      /^curl -X POST 'https:\/\/api\.example\.org\/users' -H 'authorization: '"\$AUTHORIZATION" -H 'content-type: application\/json' -d '\{"name":"Ada",/,
    ),
    "curl -X POST 'https://api.example.org/users/upload-avatar' --form-string 'id=text' -F 'avatar=@avatar'",
    expect.stringContaining('```'),
    "curl -X PUT 'https://api.example.org/files/text'",
  ]);
});

it('shows wildcards, an example of each response, a call by fetch, and what each error carries and when', () => {
  expect(text).toContain('`PUT /files/*path`');
  expect(text).toContain(
    '```json\n{\n  "data": {\n    "home": {\n      "street": "text"\n    }\n  }\n}\n```',
  );
  expect(text).toMatch(
    /await fetch\("https:\/\/api\.example\.org\/users", \{\n {2}method: 'POST',\n {2}headers: \{ "authorization": process\.env\.AUTHORIZATION,/,
  );
  expect(text).toContain('| 409 | `TooMany` | the handler throws it | `limit: number` |');
  expect(text).toMatch(/\| 401 \| `Unauthorized` \| the guard `mustBeUser` refuses \|/);
  expect(text).toMatch(/\| 400 \| `BadRequest` \| the input does not fit \| `issues: string\[\]`/);
  expect(text).toContain('  body: form, // a FormData with "id", "avatar"\n');
});
