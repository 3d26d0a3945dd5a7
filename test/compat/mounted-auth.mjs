/** better-auth behind `mounts`: its packages, the project, and what a caller of it gets. */

const origin = 'https://clinic.test';

export const packages = { 'better-auth': '^1.7.0' };

export const files = {
  'dist/server.js': `import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { capability, createServer, defaultErrors, defineContext, defineGuard, restTransport } from 'capix';

const auth = betterAuth({
  baseURL: '${origin}',
  basePath: '/api/auth',
  secret: 'a secret of at least thirty-two letters',
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  logger: { disabled: true },
});
const context = defineContext(({ requestId, headers }) => ({ requestId, headers }));
const mustBeUser = defineGuard(async ({ headers }) => {
  const session = await auth.api.getSession({ headers: new Headers({ cookie: headers.cookie ?? '' }) });
  if (session === null) throw defaultErrors.Unauthorized();
  return { user: session.user };
});
const getMe = capability.withContext().guard(mustBeUser)((_input, { user }) => user.email);
const server = createServer({
  context,
  capabilities: { users: { getMe } },
  transports: [
    restTransport({
      port: Number(process.env.PORT),
      prefix: '/api',
      mounts: { '/auth': (request) => auth.handler(request) },
    }),
  ],
});
await server.start();
process.once('SIGTERM', () => server.stop().then(() => process.exit()));`,
};

const ada = { email: 'ada@clinic.test', password: 'a long password', name: 'Ada' };

/** Signs up, out and in, and asks who it is, with and without each session. Throws where an answer is another one. */
export async function check(url) {
  const jar = new Map();
  const ask = async (path, body) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${url}/api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        origin,
        ...(cookie !== '' && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return { status: response.status, body: await response.json() };
  };
  const expect = async (path, { body, status, has }) => {
    const answer = await ask(path, body);
    if (answer.status !== status || !JSON.stringify(answer.body).includes(has))
      throw new Error(`${path} is ${JSON.stringify(answer)}, and not ${status} with ${has}`);
  };
  await expect('/users/me', { status: 401, has: 'Unauthorized' });
  await expect('/auth/sign-up/email', { body: ada, status: 200, has: ada.email });
  await expect('/users/me', { status: 200, has: `{"data":"${ada.email}"}` });
  await expect('/auth/get-session', { status: 200, has: ada.email });
  await expect('/auth/sign-out', { body: {}, status: 200, has: 'true' });
  await expect('/users/me', { status: 401, has: 'Unauthorized' });
  const wrong = { ...ada, password: 'another password' };
  await expect('/auth/sign-in/email', { body: wrong, status: 401, has: 'INVALID' });
  await expect('/users/me', { status: 401, has: 'Unauthorized' });
  await expect('/auth/sign-in/email', { body: ada, status: 200, has: ada.email });
  await expect('/users/me', { status: 200, has: `{"data":"${ada.email}"}` });
}
