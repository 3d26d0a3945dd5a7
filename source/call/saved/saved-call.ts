import * as z from 'zod';

const expectation = z.strictObject({
  /** @default any that is not an error */
  status: z.int().min(100).max(599).optional(),
  /** A part of the body: objects of the answer may have more fields. */
  body: z.unknown().optional(),
});

/** The contents of a file of a saved call. */
export const savedCallFile = z.strictObject({
  $schema: z.string().optional(),
  description: z.string().optional(),
  /** Key of the capability. */
  call: z.string(),
  input: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** Name of the environment that it goes to, unless the command line names another one. */
  environment: z.string().optional(),
  expect: expectation.prefault({}),
});

/** The expectations of an answer. */
export type Expectation = z.infer<typeof expectation>;

/** A call that a project keeps in a file, with what its answer must be. */
export interface SavedCall extends z.infer<typeof savedCallFile> {
  /** The name of its file without the extension: `'items/create'` for `calls/items/create.json`. */
  readonly name: string;
}
