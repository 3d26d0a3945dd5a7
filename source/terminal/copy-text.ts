import { stripControl } from './control/strip-control.ts';
import type { Terminal } from './terminal.ts';

/** Puts text on the clipboard of whoever sits at the terminal, also over ssh (OSC 52). Terminals that know nothing of it ignore it. */
export function copyText(terminal: Pick<Terminal, 'writeOut'>, text: string): void {
  terminal.writeOut(`\u001B]52;c;${Buffer.from(stripControl(text)).toString('base64')}\u0007`);
}
