import * as z from 'zod';

const expectation = z.strictObject({
  /** @default any that is not an error */
  status: z.int().min(100).max(599).optional(),
  /** The value that each path finds, as JSON: one, or a list of them where it finds more. */
  paths: z.record(z.string(), z.unknown()).default({}),
  /** Paths that find something. */
  exists: z.array(z.string()).default([]),
  /** Paths that find nothing. */
  absent: z.array(z.string()).default([]),
  /** Regular expressions that the texts match which a path finds. */
  matches: z.record(z.string(), z.string()).default({}),
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
