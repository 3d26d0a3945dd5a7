import type { PlainProps } from '../cli/command.ts';

/** `capix` alone, without a terminal: what it can do. */
export default function homeCommand({ terminal, help }: PlainProps): void {
  terminal.writeOut(help.text);
}
