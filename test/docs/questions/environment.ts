import * as z from 'zod';

const Settings = z.object({
  PORT: z.coerce.number().int().default(3000),
  DATABASE_URL: z.url(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  IS_BETA: z.stringbool().default(false),
});

export function readSettings(environment: NodeJS.ProcessEnv): z.infer<typeof Settings> {
  const read = Settings.safeParse(environment);
  if (!read.success) throw new Error(`Wrong settings:\n${z.prettifyError(read.error)}`);
  return read.data;
}
