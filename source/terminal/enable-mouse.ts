import type { Terminal } from './terminal.ts';

/**
 * Lets the wheel and the clicks of the mouse arrive as sequences (SGR) until the returned function is called. `CAPIX_MOUSE=0` leaves the mouse
 * to the terminal.
 */
export function enableMouse({ writeOut, environment }: Pick<Terminal, 'writeOut' | 'environment'>): () => void {
  if (environment['CAPIX_MOUSE'] === '0') return () => {};
  writeOut('\u001B[?1000h\u001B[?1006h');
  return () => writeOut('\u001B[?1006l\u001B[?1000l');
}
