import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { bearer } from 'better-auth/plugins';
import type { Db } from './db/open.ts';
import * as schema from './db/schema.ts';
import type { Settings } from './settings.ts';

/** Sign-up and sign-in by e-mail. Pages have a cookie; programs send the token as `Authorization: Bearer …`. */
export function createAuth(db: Db, { URL, AUTH_SECRET }: Settings) {
  return betterAuth({
    baseURL: URL,
    basePath: '/auth',
    secret: AUTH_SECRET,
    database: drizzleAdapter(db, { provider: 'pg', schema }),
    emailAndPassword: { enabled: true },
    plugins: [bearer()],
    telemetry: { enabled: false },
  });
}
export type Auth = ReturnType<typeof createAuth>;
