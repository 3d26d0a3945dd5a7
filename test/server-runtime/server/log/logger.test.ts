import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { capability, createServer, restTransport } from '../../../../server-runtime/index.ts';
import { consoleLogger } from '../../../../server-runtime/server/logger.ts';

afterEach(() => void vi.restoreAllMocks());

/** What is written to the console from now on, whichever stream it is for. */
function watchConsole(): string[] {
  const written: string[] = [];
  for (const name of ['log', 'warn', 'error'] as const)
    vi.spyOn(console, name).mockImplementation(
      (...words: unknown[]) => void written.push(words.join(' ')),
    );
  return written;
}

describe('consoleLogger', () => {
  it('writes the fault of a handler with its stack, without its escape sequences', async () => {
    const written = watchConsole();
    const getText = capability(() => {
      throw new Error('no \u001B]0;title\u0007\u001B[31mred');
    });
    const server = createServer({
      capabilities: { texts: { getText } },
      transports: [restTransport({ port: 0 })],
    });
    const [started] = await server.start();
    await fetch(`${started?.url}/texts`);
    await server.stop();
    expect(written.at(-1)).toMatch(
      /^\[capix\] GET \/texts failed \(request .+\) Error: no \\u001b\]0;title\\u0007\\u001b\[31mred\n +at .*logger\.test\.ts/,
    );
    expect(written.join('')).not.toContain('\u001B');
  });

  it('leaves percent signs alone', () => {
    const written = watchConsole();
    consoleLogger.error('[capix] GET /100%s', { error: 'thrown text' });
    expect(written).toEqual(['[capix] GET /100%s thrown text']);
  });

  it('lets no control character through, whatever is thrown', () => {
    const written = watchConsole();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.anything(), (text, thrown) => {
        consoleLogger.info(text);
        consoleLogger.warn(text);
        consoleLogger.error(text, { requestId: text, error: thrown });
        consoleLogger.error(text, { error: Object.assign(new Error(text), { note: thrown }) });
        expect(written.splice(0).join('')).not.toMatch(
          /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/,
        );
      }),
    );
  });
});
