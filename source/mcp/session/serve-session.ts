import type { Terminal } from '../../terminal/terminal.ts';
import type { McpCommandOptions } from '../mcp-command.ts';
import { humanHint } from '../serve-tools.ts';
import { ToolsSession } from './tools-session.ts';

/**
 * Serves the project's capabilities as tools over stdin and stdout, until stdin has ended and everything is answered, or until Ctrl-C. The code runs in a
 * process of its own, and after a save in another one.
 *
 * @throws CliError where the project cannot be loaded at first
 */
export async function serveSession(options: McpCommandOptions, terminal: Terminal): Promise<void> {
  const interrupt = terminal.interruptSignal();
  const session = new ToolsSession(options, terminal);
  const serve = async (): Promise<void> => {
    await session.loaded;
    if (terminal.isInteractive) terminal.writeError(humanHint);
    await session.over;
  };
  const interrupted = new Promise<void>((resolve) => {
    interrupt.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await Promise.race([serve(), interrupted]);
  } finally {
    await session.close();
  }
}
