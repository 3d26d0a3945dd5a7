// Boundary: whoever reads the log, or a program that does. Promise: what a caller sends is part of a line, and no line.
import * as fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import {
  capability,
  consoleLogger,
  createServer,
  toFetchHandler,
} from '../../server-runtime/index.ts';
import { toLinePart } from '../../server-runtime/server/logger.ts';
import { countInputs } from '../helpers/count-inputs.ts';

const forged = '[capix] GET /admin 200 in 1 ms';

it.each([
  ['the message of an error', new Error(`No item "a"\n${forged}"`)],
  ['a text that is thrown', `No item "a"\n::error::${forged}`],
  ['lines that begin as the end of an object', new Error(`a\n}${forged}\n]${forged}`)],
  ['an error that cannot be printed', unprintable(`a\n${forged}`)],
])('%s is no line of the log', async (_what, thrown) => {
  const write = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => write.mockRestore());
  const server = createServer({
    capabilities: {
      items: {
        createItem: capability(z.object({}), () => {
          throw thrown;
        }),
      },
    },
    logger: consoleLogger,
  });
  const request = new Request('http://a.test/items', { method: 'POST' });
  expect((await toFetchHandler(server)(request)).status).toBe(500);
  const lines = write.mock.calls.flatMap(([text]) => String(text).split('\n'));
  expect(lines[0]).toMatch(/^\[capix\] /);
  for (const line of lines.slice(1)) expect(line).toMatch(/^(\s|[}\]]?$)/);
});

function unprintable(message: string): Error {
  const error = new Error(message);
  Object.defineProperty(error, Symbol.for('nodejs.util.inspect.custom'), {
    value: () => {
      throw new Error('no');
    },
  });
  return error;
}

it('writes any path as one line without a character that acts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      expect(toLinePart(path)).not.toMatch(
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
        /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/,
      );
    }),
    { numRuns: countInputs(500) },
  );
});
