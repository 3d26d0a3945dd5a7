import * as z from 'zod';

const DEVELOPMENT = 'only for development, 32 letters';

const Settings = z
  .object({
    NODE_ENV: z.string().optional(),
    PORT: z.coerce.number().int().default(3000),
    /** Where people and pages reach the server. */
    URL: z.url().default('http://localhost:3000'),
    /** `postgres://…` in production; a folder of PGlite on your machine; `memory://` in tests. */
    DATABASE_URL: z.string().default('pgdata'),
    /** Signs sessions. */
    AUTH_SECRET: z.string().min(32).default(DEVELOPMENT),
    /** The laboratory signs its webhooks with it. */
    LAB_SECRET: z.string().min(16).default(DEVELOPMENT),
    FILES: z.string().default('files'),
  })
  .refine(
    ({ NODE_ENV, AUTH_SECRET, LAB_SECRET }) =>
      NODE_ENV !== 'production' || ![AUTH_SECRET, LAB_SECRET].includes(DEVELOPMENT),
    'In production, AUTH_SECRET and LAB_SECRET need values of your own',
  );
export type Settings = z.infer<typeof Settings>;

export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const read = Settings.safeParse(environment);
  if (!read.success) throw new Error(`Wrong settings:\n${z.prettifyError(read.error)}`);
  return read.data;
}
