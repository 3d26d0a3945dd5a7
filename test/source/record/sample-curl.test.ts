import { execa } from 'execa';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { capability } from '../../../server-runtime/capability/capability.ts';
import { defineContext } from '../../../server-runtime/capability/context.ts';
import { defineGuard } from '../../../server-runtime/capability/guard.ts';
import { defaultErrors } from '../../../server-runtime/errors/define-error.ts';
import { expectCapability } from '../../../source/manifest/expect-capability.ts';
import { toCapabilities } from '../../../source/manifest/manifest.ts';
import { toSampleCurl } from '../../../source/screens/sample-curl.ts';
import { toTestManifest } from '../../helpers/render-screen.tsx';
import { startOverSocket } from '../../helpers/start-rest.ts';

const withToken = defineGuard<object>(
  ({ headers }: { readonly headers?: Record<string, string> }) => {
    if (headers?.['authorization'] !== 'Bearer t-1') throw defaultErrors.Unauthorized();
  },
  { name: 'withToken', security: { type: 'http', scheme: 'bearer' } },
);
const withKey = defineGuard(() => {}, {
  name: 'withKey',
  security: { type: 'apiKey', in: 'header', name: 'x-key' },
});
const tree = {
  users: {
    createUser: capability(
      z.object({
        email: z.email(),
        password: z.string().min(12),
        number: z.string().regex(/^\d{4}-\d{4}$/),
        age: z.int().min(18),
        tags: z.array(z.string().min(6)).min(2),
      }),
      ({ email }) => email,
    ).guard(withToken),
  },
  keys: { listKeys: capability(() => []).guard(withKey) },
  pages: { listPages: capability(() => []) },
};

it('has the credentials of the guards as variables of the shell', async () => {
  const capabilities = toCapabilities(await toTestManifest(tree));
  const curlOf = (key: string) =>
    toSampleCurl(expectCapability(key, capabilities), { url: 'http://localhost:3000' });
  expect(curlOf('users.createUser')).toContain(`-H 'authorization: Bearer '"$TOKEN"`);
  expect(curlOf('keys.listKeys')).toContain(`-H 'x-key: '"$X_KEY"`);
  expect(curlOf('pages.listPages')).not.toContain('-H');
});

it('succeeds where it is copied into a shell', async () => {
  const { url } = await startOverSocket({
    capabilities: tree,
    context: defineContext(({ headers }) => ({ headers })),
  });
  const capabilities = toCapabilities(await toTestManifest(tree));
  const command = toSampleCurl(expectCapability('users.createUser', capabilities), { url });
  const { stdout } = await execa('sh', ['-c', `${command} --silent`], { env: { TOKEN: 't-1' } });
  expect(JSON.parse(stdout)).toEqual({ data: 'ada@example.com' });
});
