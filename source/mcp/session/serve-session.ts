import { standardInput } from '../../terminal/standard-input.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { McpCommandOptions } from '../mcp-command.ts';
import { humanHint, toStartError } from '../serve-tools.ts';
import { HttpFront } from './http-front.ts';
import { Relay } from './relay.ts';
import { splitMessages } from './split-messages.ts';
import { ToolsSession } from './tools-session.ts';

/**
 * Serves the project's capabilities as tools: over stdin and stdout until stdin has ended and everything is answered, over HTTP until Ctrl-C. The code runs
 * in a process of its own, and after a save in another one.
 *
 * @throws CliError where the project cannot be loaded at first, or the port is taken
 */
export async function serveSession(options: McpCommandOptions, terminal: Terminal): Promise<void> {
  const interrupt = terminal.interruptSignal();
  const { port } = options;
  const { session, serve, close } =
    port === undefined ? overStdio(options, terminal) : overHttp(options, terminal, port);
  const interrupted = new Promise<void>((resolve) => {
    interrupt.addEventListener('abort', () => resolve(), { once: true });
  });
  try {
    await Promise.race([serve(), interrupted]);
  } finally {
    await Promise.all([session.close(), close()]);
  }
}

interface Served {
  readonly session: ToolsSession;
  /** Resolves when nothing more comes. */
  readonly serve: () => Promise<void>;
  readonly close: () => Promise<void>;
}

function overStdio(options: McpCommandOptions, terminal: Terminal): Served {
  const write = (message: string): void => terminal.writeOut(`${message}\n`);
  let relay: Relay | undefined;
  const session = new ToolsSession(options, terminal, (onWanted) => (relay = new Relay({ write, onWanted })));
  splitMessages(
    standardInput(),
    (message) => relay?.receive(message),
    () => {
      relay?.end();
      session.endWhenOver();
    },
  );
  return {
    session,
    serve: async () => {
      await session.loaded;
      if (terminal.isInteractive) terminal.writeError(humanHint);
      await session.over;
    },
    close: async () => {},
  };
}

function overHttp(options: McpCommandOptions, terminal: Terminal, port: number): Served {
  let front: HttpFront | undefined;
  const session = new ToolsSession(options, terminal, (onWanted) => (front = new HttpFront(onWanted)));
  return {
    session,
    serve: async () => {
      await session.loaded;
      const url = await front?.listen(port).catch((error: unknown) => {
        throw toStartError(error, port);
      });
      terminal.writeError(`Server started on ${url}\n`);
      await session.over;
    },
    close: async () => front?.close(),
  };
}
