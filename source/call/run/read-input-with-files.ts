import { Readable } from 'node:stream';
import { toFieldValue, toInputPlan } from '../../../server-runtime/input/input-plan.ts';
import type { Operation } from '../../../server-runtime/registry/operation.ts';
import type { CallInput } from './call-input.ts';
import { readFiles } from './read-files.ts';

/**
 * Reads the input of a call in this process: its files as a form would bring them.
 *
 * @throws MissingFile
 */
export async function readInputWithFiles({ definition }: Operation, { json, files }: CallInput): Promise<unknown> {
  const read = await readFiles(files);
  if (read.length === 0) return json ?? {};
  const plan = toInputPlan(definition.schema).fields;
  const values = read.map(([name, sent]) => {
    const field = plan.get(name);
    const isStreamed = field?.file?.stream === true;
    const given = isStreamed ? sent.map((file) => ({ ...file, stream: Readable.from([file.buffer]) })) : sent;
    return [name, toFieldValue(field, given)];
  });
  return { ...(json as object), ...Object.fromEntries(values) };
}
