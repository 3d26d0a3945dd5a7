import { onTestFinished } from 'vitest';
import { type OpenTerminal, openTerminal } from './open-terminal.ts';

/** A pseudo-terminal that is closed when the test ends, however it ends. */
export function openTestTerminal(...args: Parameters<typeof openTerminal>): OpenTerminal {
  const terminal = openTerminal(...args);
  onTestFinished(() => terminal.close());
  return terminal;
}
