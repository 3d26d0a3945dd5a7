import { CliError, createCliError } from '../cli/cli-error.ts';
import { exitCodes } from '../cli/cli-errors.ts';
import type { PlainProps } from '../cli/command.ts';
import type { DevValues } from '../flags/serve-flags.ts';
import { toExitText } from '../system/child-channel.ts';
import { openInBrowser } from '../system/user-programs.ts';
import { toOwnerText, toPortHint } from './dev-state.ts';
import { createDevTextWriter } from './dev-text.ts';
import type { DevEvent } from './session/dev-event.ts';
import { toDevJson } from './session/dev-json.ts';
import { toDevOptions } from './session/dev-options.ts';
import { DevSession } from './session/dev-session.ts';
import { SaveEffects } from './session/save-effects.ts';

/** `capix dev` without a screen: a line an event, or a JSON document a line. Ends on Ctrl-C and SIGTERM. */
export default async function devCommand({
  options,
  args: [entry],
  terminal,
}: PlainProps<DevValues, [entry?: string | undefined]>): Promise<number | void> {
  const sessionOptions = toDevOptions(options, entry, terminal);
  const interrupted = terminal.interruptSignal();
  const writeText = createDevTextWriter(terminal);
  const write = (event: DevEvent): void =>
    options.json ? terminal.writeOut(toDevJson(event, new Date())) : writeText(event);
  const effects = new SaveEffects();
  const { watches } = sessionOptions;
  let wasReady = false;

  const end = await new Promise<DevEvent | undefined>((resolve, reject) => {
    const session = new DevSession({
      ...sessionOptions,
      records: options.requests ? 'details' : 'nothing',
      report: (event) => {
        // Nobody is there to free a port; and without watching nothing can change.
        const isFatal = event.kind === 'port-taken' && !wasReady;
        const isEnd = isFatal || (!watches && /^(port-taken|failed|exited)$/.test(event.kind));
        if (!isEnd || options.json) write(event);
        for (const effect of effects.take(event, Date.now())) write(effect);
        if (isEnd) void session.stop().then(() => resolve(event), reject);
        if (event.kind !== 'ready') return;
        if (options.open && !wasReady && event.urls[0] !== undefined)
          void openInBrowser(event.urls[0]);
        wasReady = true;
      },
    });
    interrupted.addEventListener(
      'abort',
      () => void session.stop().then(() => resolve(undefined), reject),
      {
        once: true,
      },
    );
    session
      .start()
      .catch((error: unknown) => void session.stop().then(() => reject(error), reject));
  });
  if (end === undefined) return;
  if (options.json) return exitCodes.failed;
  throw toEndError(end);
}

function toEndError(event: DevEvent): CliError {
  if (event.kind === 'port-taken') {
    const { port, owner } = event;
    return createCliError(
      'PortTaken',
      { port, owner: toOwnerText(owner) },
      { hint: toPortHint(event) },
    );
  }
  if (event.kind === 'failed') return new CliError(event.failure);
  const how = event.kind === 'exited' ? ` ${toExitText(event)}` : '';
  return createCliError('ServerEnded', { how });
}
